// The completion script for fish, 3.0 and later.

export const fishScript = String.raw`# Completion of wm in fish. To install it: wm completion install
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
