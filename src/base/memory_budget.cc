#include "base/memory_budget.h"

#include <functional>

namespace lode {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

// The owner's and the pipe's shares; the others follow.
constexpr std::size_t kLocal = 0;
constexpr std::size_t kOwner = 1;
constexpr std::size_t kFirstGuest = 2;

// Entries of what is gone that are not worth a look.
constexpr std::size_t kPruned = 64;

}  // namespace

MemoryBudget::MemoryBudget(std::size_t bytes) : limit_(bytes) {
  const std::size_t guests = guest_part(bytes);
  for (std::size_t i = 0; i < kShares; ++i) {
    MemoryShare& share = shares_[i];
    share.budget_ = this;
    share.guest_ = i >= kFirstGuest;
    share.limit_ = share.guest_ ? guests / 4 * 3 : bytes / 2;
  }
}

MemoryShare& MemoryBudget::share(const Principal& who) {
  if (!who.guest()) return shares_[who.name == "local" ? kLocal : kOwner];
  return shares_[kFirstGuest + std::hash<std::string>()(who.name) % (kShares - kFirstGuest)];
}

// What is kept for guests goes before anybody's request is refused for want of the
// whole.
bool MemoryBudget::forget_for_guests() {
  for (std::size_t i = kFirstGuest; i < kShares; ++i) {
    if (shares_[i].forget_oldest()) return true;
  }
  return false;
}

void MemoryShare::add(std::size_t bytes) {
  used_.fetch_add(bytes, kRelaxed);
  budget_->used_.fetch_add(bytes, kRelaxed);
  if (guest_) budget_->guests_used_.fetch_add(bytes, kRelaxed);
}

void MemoryShare::subtract(std::size_t bytes) {
  used_.fetch_sub(bytes, kRelaxed);
  budget_->used_.fetch_sub(bytes, kRelaxed);
  if (guest_) budget_->guests_used_.fetch_sub(bytes, kRelaxed);
}

bool MemoryShare::within() const {
  return used() <= limit_ && budget_->used() <= budget_->limit_ &&
         (!guest_ || budget_->guests_used_.load(kRelaxed) <= guest_part(budget_->limit_));
}

bool MemoryShare::fits() {
  while (!within()) {
    if (forget_oldest()) continue;
    if (used() <= limit_ && budget_->forget_for_guests()) continue;
    budget_->refusals_.fetch_add(1, kRelaxed);
    return false;
  }
  return true;
}

bool MemoryShare::pressed() const {
  const auto firm = [](std::size_t all, std::size_t kept) { return all > kept ? all - kept : 0; };
  return firm(used(), kept()) > limit_ / 4 * 3 || !within();
}

void MemoryShare::keep(std::weak_ptr<Forgettable> kept) {
  {
    const Lock lock(mutex_);
    forgettable_.push_back(std::move(kept));
    if (forgettable_.size() >= prune_at_) {
      std::erase_if(forgettable_, [](const auto& entry) { return entry.expired(); });
      prune_at_ = 2 * forgettable_.size() + kPruned;
    }
  }
  while (this->kept() > limit_ / 4 && forget_oldest()) {
  }
}

bool MemoryShare::forget_oldest() {
  std::weak_ptr<Forgettable> oldest;
  {
    const Lock lock(mutex_);
    if (forgettable_.empty()) return false;
    oldest = std::move(forgettable_.front());
    forgettable_.pop_front();
  }
  if (const auto alive = oldest.lock()) alive->forget();
  return true;
}

void MemoryLoan::take(MemoryShare& share) const {
  MemoryShare* nobody = nullptr;
  payer_.compare_exchange_strong(nobody, &share);
  if (holders_.fetch_add(1) == 0) payer_.load()->add(bytes_);
}

void MemoryLoan::give_back() const {
  if (holders_.fetch_sub(1) == 1) payer_.load()->subtract(bytes_);
}

void MemoryCharge::borrow(std::shared_ptr<const MemoryLoan> loan) {
  loan->take(*share_);
  loan_ = std::move(loan);
}

void MemoryCharge::become(std::size_t bytes) {
  if (share_ == nullptr) return;
  MemoryCharge other(*share_, bytes);
  swap(other);
}

void MemoryCharge::keep() {
  if (share_ == nullptr || std::exchange(kept_, true)) return;
  share_->kept_.fetch_add(bytes_, kRelaxed);
}

void MemoryCharge::release() {
  if (loan_ != nullptr) std::exchange(loan_, nullptr)->give_back();
  if (share_ == nullptr) return;
  if (std::exchange(kept_, false)) share_->kept_.fetch_sub(bytes_, kRelaxed);
  std::exchange(share_, nullptr)->subtract(std::exchange(bytes_, 0));
}

void MemoryCharge::swap(MemoryCharge& other) noexcept {
  std::swap(share_, other.share_);
  std::swap(bytes_, other.bytes_);
  std::swap(loan_, other.loan_);
  std::swap(kept_, other.kept_);
}

}  // namespace lode
