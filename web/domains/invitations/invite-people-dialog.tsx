import { CircleAlert, X } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Domain, MemberRole } from '#contract/domains/domains.ts'
import { type InvitationWithLink, invitationDays, invitations } from '#contract/domains/invitations.ts'
import { ApiError, call } from '#web/api/api.ts'
import { type Draft, useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, focusFirstField } from '#web/ui/fields/field.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { roleOptions, roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useInvalidateDomains } from '../domain-queries.ts'
import {
  checkEmailCount,
  mapProblemsByEmail,
  maxEmails,
  mergeEmails,
  parseEmails,
  validateEmail,
} from './email-list.ts'

interface InvitePeopleDialogProps {
  domain: Pick<Domain, 'id' | 'name'>
  open: boolean
  onOpenChange: (open: boolean) => void
}

interface InvitationDraft {
  emails: string[]
  typed: string
  role: MemberRole
  note: string
}
const emptyDraft: InvitationDraft = { emails: [], typed: '', role: 'user', note: '' }

export function InvitePeopleDialog({ domain, open, onOpenChange }: InvitePeopleDialogProps) {
  const formId = useId()
  const [invited, setInvited] = useState<InvitationWithLink[]>()
  const [busy, setBusy] = useState(false)
  const draft = useDraft<InvitationDraft>(`invite/${domain.id}`, emptyDraft)

  function handleOpenChange(next: boolean) {
    if (busy) return
    if (!next) setInvited(undefined)
    onOpenChange(next)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={handleOpenChange}
      onOpenAutoFocus={focusFirstField}
      title={invited ? `${pluralize(invited.length, 'person', 'people')} invited` : `Invite people to ${domain.name}`}
      description={
        invited
          ? `Send each person their link. Each link works once, for ${invitationDays} days, and anyone who has it can accept.`
          : `Each person gets a link that works once, for ${invitationDays} days.`
      }
      footer={
        invited ? (
          <>
            {invited.length > 1 && <CopyButton text={formatLinks(invited)}>Copy all links</CopyButton>}
            {/* Distinct keys: a second Enter on Invite must not press the button that replaces it. */}
            <Button key="more" variant="plain" onClick={() => setInvited(undefined)}>
              Invite more
            </Button>
            <Button key="done" variant="primary" onClick={() => handleOpenChange(false)}>
              Done
            </Button>
          </>
        ) : (
          <>
            <Button
              key="cancel"
              disabled={busy}
              onClick={() => {
                draft.clear()
                handleOpenChange(false)
              }}
            >
              Cancel
            </Button>
            <Button key="invite" type="submit" form={formId} variant="primary" busy={busy} busyLabel="Inviting...">
              Invite
            </Button>
          </>
        )
      }
    >
      {invited ? (
        <InvitedLinks invited={invited} />
      ) : (
        <InviteForm
          id={formId}
          domainId={domain.id}
          draft={draft}
          busy={busy}
          onBusyChange={setBusy}
          onInvited={setInvited}
        />
      )}
    </Dialog>
  )
}

interface InviteFormProps {
  id: string
  domainId: string
  draft: Draft<InvitationDraft>
  busy: boolean
  onBusyChange: (busy: boolean) => void
  onInvited: (invited: InvitationWithLink[]) => void
}

function InviteForm({ id, domainId, draft, busy, onBusyChange, onInvited }: InviteFormProps) {
  const invalidateDomains = useInvalidateDomains()
  const form = useRef<HTMLFormElement>(null)
  const [serverProblems, setServerProblems] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  const [error, setError] = useState<string>()
  const { role, note } = draft.value
  const updateDraft = (change: Partial<InvitationDraft>) => draft.set({ ...draft.value, ...change })

  const getProblems = (emails: string[]) =>
    Object.fromEntries(
      emails.flatMap((email) => {
        const problem = serverProblems[email] ?? validateEmail(email)
        return problem ? [[email, problem] as const] : []
      }),
    )

  async function send(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setFailure(undefined)
    const emails = mergeEmails(draft.value.emails, parseEmails(draft.value.typed))
    updateDraft({ emails, typed: '' })
    const listError = checkEmailCount(emails.length)
    setError(listError)
    if (listError || Object.keys(getProblems(emails)).length > 0) {
      form.current?.querySelector<HTMLInputElement>('input[aria-describedby]')?.focus()
      return
    }
    onBusyChange(true)
    try {
      const invited = await call(invitations.create, { params: { id: domainId }, body: { emails, role, note } })
      void invalidateDomains()
      await draft.release()
      onInvited(invited)
    } catch (reason) {
      const problemsByEmail = reason instanceof ApiError ? mapProblemsByEmail(reason.fields ?? {}, emails) : {}
      setServerProblems({ ...serverProblems, ...problemsByEmail })
      setFailure(getErrorMessage(reason))
    } finally {
      onBusyChange(false)
    }
  }

  return (
    <form id={id} ref={form} onSubmit={send} noValidate className="flex flex-col gap-4">
      {failure && <Banner tone="error">{failure}</Banner>}
      <ReadOnlyWhile while={busy}>
        <EmailChips
          value={draft.value.emails}
          typed={draft.value.typed}
          onChange={(emails, typed) => {
            if (emails.length !== draft.value.emails.length) setError(undefined)
            updateDraft({ emails, typed })
          }}
          problems={getProblems(draft.value.emails)}
          error={error}
          help={`Separate addresses with commas, spaces or new lines. At most ${maxEmails}.`}
        />
        <SelectField
          label="Role"
          options={roleOptions}
          value={role}
          help={roleSentences[role]}
          onChange={(event) => updateDraft({ role: event.currentTarget.value as MemberRole })}
        />
        <TextArea
          label="Welcome note"
          aside="Optional"
          help="Shown with the invitation."
          value={note}
          maxLength={1000}
          onChange={(event) => updateDraft({ note: event.currentTarget.value })}
        />
      </ReadOnlyWhile>
    </form>
  )
}

function formatLinks(invited: readonly InvitationWithLink[]): string {
  return invited.map(({ email, link }) => `${email} ${link}`).join('\n')
}

interface EmailChipsProps {
  value: readonly string[]
  /** Text that isn't a chip yet; submitting includes it. */
  typed: string
  onChange: (value: string[], typed: string) => void
  /** Problems by address. */
  problems: Record<string, string>
  error?: string | undefined
  help?: string
}

/** Blur creates no chip, because the layout would shift under the pointer. */
function EmailChips({ value, typed, onChange, problems, error, help }: EmailChipsProps) {
  const input = useRef<HTMLInputElement>(null)

  function addEmails(text: string) {
    onChange(mergeEmails(value, parseEmails(text)), '')
  }
  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const isSeparator = [',', ';', ' ', 'Enter'].includes(event.key)
    if (isSeparator && (typed.trim() !== '' || event.key !== 'Enter')) {
      event.preventDefault()
      addEmails(typed)
    } else if (event.key === 'Backspace' && typed === '' && value.length > 0) {
      onChange(value.slice(0, -1), typed)
    }
  }
  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    if (!/[\s,;]/.test(text.trim())) return
    event.preventDefault()
    addEmails(`${typed} ${text}`)
  }
  function removeEmail(email: string) {
    onChange(
      value.filter((other) => other !== email),
      typed,
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
        <div className="flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border border-input bg-card px-1.5 py-[5px] transition-[border-color,box-shadow] duration-120 has-[input:focus-visible]:border-ring has-[input:focus-visible]:shadow-halo has-aria-invalid:border-destructive phone:min-h-[2.625rem]">
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
            value={typed}
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

export function InvitedLinks({ invited }: { invited: readonly InvitationWithLink[] }) {
  return (
    <ul aria-label="Invitation links" className="flex flex-col gap-3">
      {invited.map(({ id, email, link, mailed }) => (
        <li key={id} className="rounded-md border border-border bg-card p-3">
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium wrap-anywhere">{email}</span>
            {mailed ? <Badge tone="success">Emailed</Badge> : <Badge>Not emailed</Badge>}
          </p>
          <div className="mt-1.5 flex items-center gap-2">
            <input
              readOnly
              value={link}
              aria-label={`Link for ${email}`}
              onFocus={(event) => event.currentTarget.select()}
              className="min-w-0 flex-1 truncate rounded-sm border border-hairline bg-muted px-2 py-1 font-mono text-small text-muted-foreground"
            />
            <CopyButton text={link} aria-label={`Copy link for ${email}`}>
              Copy link
            </CopyButton>
          </div>
        </li>
      ))}
    </ul>
  )
}
