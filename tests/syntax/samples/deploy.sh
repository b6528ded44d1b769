#!/bin/bash
# Deploys things.
set -euo pipefail
source ./common.sh
. /etc/profile

LIMIT=8
readonly NAME="x"
export TARGET=prod PATH
declare -a LIST=(1 2)
alias ll='ls -l'

# Says hello.
hello() {
  local inner=1
  echo "$inner"
}

function build {
  hello
}
