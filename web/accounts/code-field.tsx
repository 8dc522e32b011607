import { TextField } from '#web/ui/fields/text-field.tsx'

export const codeHelp = 'The 6 digits in your authenticator app, or a recovery code.'

export const getCodeProblem = (code = ''): string | undefined => (code.trim() === '' ? 'Enter the code.' : undefined)

interface CodeFieldProps {
  error: string | undefined
  help?: string
  autoFocus?: boolean
}

/** A full keyboard, because recovery codes have letters. */
export function CodeField({ error, help = codeHelp, autoFocus = false }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      name="code"
      help={help}
      autoComplete="one-time-code"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      autoFocus={autoFocus}
      mono
      error={error}
    />
  )
}
