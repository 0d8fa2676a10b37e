// The completion script for zsh: a file named _wm in a folder of $fpath, or evaluated in .zshrc.

export const zshScript = String.raw`#compdef wm
# Completion of wm in zsh. To install it: wm completion install
_wm() {
  local reply directive line before
  local -a lines words_shown matches
  reply=$(command wm __complete zsh "$COLUMNS" "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null) || return 1
  lines=("\${(@f)reply}")
  directive=$lines[1]
  shift lines
  if [[ $directive == files* ]]; then
    before=\${directive#*$'\t'}
    [[ -z $before ]] || compset -P "\${(b)before}"
    _files
    return
  fi
  (( $#lines )) || return 1
  for line in "\${(@)lines}"; do
    matches+=("\${line%%$'\t'*}")
    words_shown+=("\${line#*$'\t'}")
  done
  # What was found by its title does not begin with what was typed: go through the list instead of replacing it.
  [[ $directive != menu ]] || compstate[insert]=menu
  compadd -U -V wm -l -d words_shown -a matches
}
if [[ \${funcstack[1]} == _wm ]]; then
  _wm "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _wm wm
fi
`.replaceAll('\\$', '$');
