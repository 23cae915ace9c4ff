#!/usr/bin/env bash
# The two commands of the README on a machine that has nothing but what the README names:
# tools/fresh.sh [all|demo|container|systemd]. With root and debootstrap in a Debian of its own, otherwise as
# this user with an empty home and a short PATH. `container` runs the lines of the Containerfile instead,
# `systemd` those of docs/install.md in a Debian that systemd runs; both need root and debootstrap. Bounded in
# time: FRESH_SECONDS for each step (default 1800). Debian comes from FRESH_MIRROR, or from where debootstrap
# has it.
set -euo pipefail
commands=${1:-all}
seconds=${FRESH_SECONDS:-1800}
checkout=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d -t pbem-fresh.XXXXXX)
root=$place/debian
needed=make,python3,python3-venv,ca-certificates
case $commands in
  container) needed=apt ;;  # which every Debian has
  systemd) needed+=,systemd-sysv,dbus,sudo ;;
esac

clean() {
  for there in dev/pts dev/shm proc; do
    ! mountpoint -q "$root/$there" || umount "$root/$there"
  done
  rm -rf "$place"
}
trap clean EXIT

# How the package index is reached from here: settings of pip and proxies.
carried() {
  env | grep -E '^(PIP_|https?_proxy=|HTTPS?_PROXY=|no_proxy=|NO_PROXY=)' || true
}

run_commands() {
  echo 'make demo'
  [ "$commands" = demo ] || echo 'make test'
}

if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then
  echo "A Debian of its own, with $needed …"
  timeout "$seconds" debootstrap --variant=minbase --include="$needed" bookworm "$root" \
    ${FRESH_MIRROR:+"$FRESH_MIRROR"} \
    >"$place/debootstrap.log" 2>&1 || { tail -n 20 "$place/debootstrap.log"; exit 1; }
  mount -t proc proc "$root/proc" || echo "without /proc"
  mkdir -p "$root/dev/pts" "$root/dev/shm"  # terminals and semaphores, which every machine has
  mount --bind /dev/pts "$root/dev/pts" || echo "without terminals"
  mount -t tmpfs -o mode=1777 pbem-fresh "$root/dev/shm" || echo "without shared memory"
  echo "127.0.0.1 localhost $(hostname)" >>"$root/etc/hosts"
  git -c advice.detachedHead=false clone --quiet "$checkout" "$root/srv/pbem"
  for file in /etc/ssl/certs/ca-certificates.crt /etc/resolv.conf; do
    [ ! -e "$file" ] || { mkdir -p "$root${file%/*}"; cp -L "$file" "$root$file"; }
  done
  if [ "$commands" = container ]; then
    mkdir -p "$root/usr/local/share/ca-certificates"  # installing ca-certificates makes the list anew
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/usr/local/share/ca-certificates/here.crt"
    mv "$root/srv/pbem" "$place/checkout"
    (cd "$checkout" && timeout "$seconds" python3 -m tools.container "$root" "$place/checkout")
    exit 0
  fi
  if [ "$commands" = systemd ]; then
    mv "$root/srv/pbem" "$place/checkout"
    (cd "$checkout" && timeout "$seconds" python3 -m tools.units "$root" "$place/checkout")
    exit 0
  fi
  chroot "$root" useradd --create-home player
  chroot "$root" chown -R player /srv/pbem
  run_commands | while read -r command; do
    echo "== $command"
    timeout "$seconds" chroot --userspec=player "$root" env -i HOME=/home/player PATH=/usr/bin:/bin \
      LANG=C.UTF-8 $(carried) sh -c "cd /srv/pbem && $command" </dev/null
  done
else
  echo "NOT TESTED: a Debian of its own needs root and debootstrap; an empty home instead."
  git -c advice.detachedHead=false clone --quiet "$checkout" "$place/pbem"
  mkdir "$place/home"
  run_commands | while read -r command; do
    echo "== $command"
    (cd "$place/pbem" && timeout "$seconds" env -i HOME="$place/home" PATH=/usr/bin:/bin LANG=C.UTF-8 \
      $(carried) sh -c "$command") </dev/null
  done
fi
echo "ok: what the README says is enough"
