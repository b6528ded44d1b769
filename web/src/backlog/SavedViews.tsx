// Addresses of lists and boards that were given a name, kept in this browser.
import { useState } from "preact/hooks";
import { announce } from "../core/announce";
import { choose, settings } from "../core/settings";
import { AddressLink } from "../parts/AddressLink";
import { useAutoFocus } from "../parts/useAutoFocus";
import { texts } from "../texts";

interface Props {
  uri: string; // what is shown
  where: "main" | "pane";
  isFiltered: boolean;
}

export function SavedViews({ uri, where, isFiltered }: Props) {
  const { views } = settings.value;
  const here = views.find((view) => view.uri === uri);
  if (views.length === 0 && !isFiltered) return null;
  const forget = () => choose({ views: views.filter((view) => view !== here) });
  return (
    <div class="saved-views">
      {views.map((view) => (
        <AddressLink
          key={view.name}
          uri={view.uri}
          where={where}
          class="view"
          current={view === here ? "page" : undefined}
        >
          {view.name}
        </AddressLink>
      ))}
      {here && (
        <button type="button" class="quiet" onClick={forget}>
          {texts.backlog.forgetView(here.name)}
        </button>
      )}
      {!here && isFiltered && <SaveView uri={uri} />}
    </div>
  );
}

function SaveView({ uri }: { uri: string }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <NameView uri={uri} close={() => setOpen(false)} />;
  return (
    <button type="button" class="quiet" onClick={() => setOpen(true)}>
      {texts.backlog.saveView}
    </button>
  );
}

function NameView({ uri, close }: { uri: string; close: () => void }) {
  const [name, setName] = useState("");
  const field = useAutoFocus<HTMLInputElement>();
  const save = (event: Event) => {
    event.preventDefault();
    const given = name.trim();
    if (!given) return;
    choose({ views: [...settings.value.views.filter((view) => view.name !== given), { name: given, uri }] });
    announce(texts.backlog.viewSaved(given));
    close();
  };
  return (
    <form class="save-view" onSubmit={save}>
      <input
        ref={field}
        aria-label={texts.backlog.viewName}
        placeholder={texts.backlog.viewName}
        maxLength={60}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          close();
        }}
      />
      <button type="submit">{texts.backlog.save}</button>
    </form>
  );
}
