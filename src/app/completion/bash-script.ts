// The completion script for bash 3.2, as on macOS, and later. It needs no other package.

export const bashScript = String.raw`# Completion of wm in bash. To install it: wm completion install
_wm_completion() {
  local reply directive entry
  COMPREPLY=()
  reply=$(command wm __complete bash "\${COMP_LINE:0:COMP_POINT}" "$2" "\${COMP_TYPE:-9}" "\${COLUMNS:-80}" 2>/dev/null </dev/null) || return 0
  {
    read -r directive
    while IFS= read -r entry; do
      COMPREPLY[\${#COMPREPLY[@]}]=$entry
    done
  } <<<"$reply"
  # With no entry, bash completes the name of a file. bash 3.2 does so for every word.
  if [[ $directive != files* && \${BASH_VERSINFO[0]} -ge 4 ]]; then
    compopt +o default
  fi
}
complete -o default -F _wm_completion wm
`.replaceAll('\\$', '$');
