import { CircleAlert, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { Field } from '#web/ui/fields/field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { mergeEmails, parseEmails } from './email-list.ts'

interface EmailChipsProps {
  value: readonly string[]
  /** Text that isn't a chip yet; submitting includes it. */
  draft: string
  onChange: (value: string[], draft: string) => void
  /** Problems by address. */
  problems: Record<string, string>
  error?: string | undefined
  help?: string
}

/** Blur creates no chip, because the layout would shift under the pointer. */
export function EmailChips({ value, draft, onChange, problems, error, help }: EmailChipsProps) {
  const input = useRef<HTMLInputElement>(null)

  function addEmails(text: string) {
    onChange(mergeEmails(value, parseEmails(text)), '')
  }
  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const isSeparator = [',', ';', ' ', 'Enter'].includes(event.key)
    if (isSeparator && (draft.trim() !== '' || event.key !== 'Enter')) {
      event.preventDefault()
      addEmails(draft)
    } else if (event.key === 'Backspace' && draft === '' && value.length > 0) {
      onChange(value.slice(0, -1), draft)
    }
  }
  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    if (!/[\s,;]/.test(text.trim())) return
    event.preventDefault()
    addEmails(`${draft} ${text}`)
  }
  function removeEmail(email: string) {
    onChange(
      value.filter((other) => other !== email),
      draft,
    )
    input.current?.focus()
  }

  const invalidEmails = value.filter((email) => problems[email])
  return (
    <Field
      label="Email addresses"
      required
      help={help}
      error={
        invalidEmails.length > 0 || error ? (
          <>
            {error}
            {invalidEmails.map((email) => (
              <span key={email} className="block wrap-anywhere">
                {email}: {problems[email]}
              </span>
            ))}
          </>
        ) : undefined
      }
    >
      {(control) => (
        <div className="flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border border-input bg-card px-1.5 py-[5px] transition-[border-color,box-shadow] duration-120 has-[input:focus-visible]:border-ring has-[input:focus-visible]:shadow-halo has-aria-invalid:border-destructive phone:min-h-[42px]">
          {value.length > 0 && (
            <ul aria-label="Addresses to invite" className="contents">
              {value.map((email) => (
                <li
                  key={email}
                  className={classNames(
                    'inline-flex h-6 max-w-full animate-fade items-center gap-1 rounded-[5px] ps-2 text-small font-label',
                    problems[email] ? 'bg-destructive-soft text-destructive' : 'bg-secondary text-secondary-foreground',
                  )}
                >
                  {problems[email] && <CircleAlert aria-hidden size={12} className="shrink-0" />}
                  <span className="truncate">{email}</span>
                  {problems[email] && <span className="sr-only">{problems[email]}</span>}
                  <button
                    type="button"
                    aria-label={`Remove ${email}`}
                    onClick={() => removeEmail(email)}
                    className="grid size-6 shrink-0 place-items-center rounded-[5px] hover:text-destructive"
                  >
                    <X aria-hidden size={12} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            {...control}
            ref={input}
            value={draft}
            type="text"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={value.length === 0 ? 'name@example.com' : undefined}
            onChange={(event) => onChange([...value], event.currentTarget.value)}
            onKeyDown={handleKeyDown}
            onPaste={handlePaste}
            enterKeyHint="enter"
            className="min-w-32 flex-1 bg-transparent px-1 text-body focus-visible:outline-hidden phone:text-lead"
          />
        </div>
      )}
    </Field>
  )
}
