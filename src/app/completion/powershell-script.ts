// The completion script for Windows PowerShell 5.1 and PowerShell 7. Without a candidate, PowerShell itself completes file
// names.

export const powerShellScript = `# Completion of wm in PowerShell. To install it: wm completion install
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
