// The shells that wm supports completion for, each with its script.

/** For bash 3.2, as on macOS, and later. It needs no other package. */
const bash = String.raw`# Completion of wm in bash. To install it: wm completion install
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

/** A file named _wm in a folder of $fpath, or evaluated in .zshrc. */
const zsh = String.raw`#compdef wm
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

/** For fish 3.0 and later. */
const fish = String.raw`# Completion of wm in fish. To install it: wm completion install
function __wm_complete
    set -l current (commandline -ct)
    set -l reply (command wm __complete fish "$current" (commandline -opc) 2>/dev/null </dev/null)
    or return
    if string match -q 'files*' -- $reply[1]
        set -l before (string split -m 1 \t -- $reply[1])[2]
        set -l rest (string sub -s (math 1 + (string length -- "$before")) -- "$current")
        for path in (__fish_complete_path "$rest")
            printf '%s\n' "$before$path"
        end
        return
    end
    set -e reply[1]
    if count $reply >/dev/null
        printf '%s\n' $reply
    end
end
complete -c wm -f -k -a '(__wm_complete)'
`;

/** For Windows PowerShell 5.1 and PowerShell 7. Without a candidate, PowerShell itself completes file names. */
const powershell = `# Completion of wm in PowerShell. To install it: wm completion install
Register-ArgumentCompleter -Native -CommandName wm -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $words += $wordToComplete.Trim('"', "'")
    $line = [Convert]::ToBase64String([System.Text.Encoding]::UTF8.GetBytes($words -join [char]10))
    $reply = (& wm __complete powershell $line 2>$null) -join ''
    if (-not $reply) { return }
    foreach ($candidate in (ConvertFrom-Json $reply)) {
        [System.Management.Automation.CompletionResult]::new($candidate.word, $candidate.label, 'ParameterValue', $candidate.description)
    }
}
`;

export const scripts = { bash, zsh, fish, powershell } as const;

export type Shell = keyof typeof scripts;

export const shells = Object.keys(scripts) as readonly Shell[];

export function nameOf(shell: Shell): string {
  return shell === 'powershell' ? 'PowerShell' : shell;
}
