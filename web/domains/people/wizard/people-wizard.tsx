import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { type InvitationWithLink, invitations } from '#contract/domains/invitations.ts'
import { ApiError, call } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { roleNames, roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import {
  checkEmailCount,
  mapProblemsByEmail,
  maxEmails,
  mergeEmails,
  parseEmails,
  validateEmail,
} from '../../invitations/email-list.ts'
import { InvitedLinks } from '../../invitations/invite-people-dialog.tsx'
import { getPeopleErrorDetail, type PeopleBoardData } from '../people-board-data.ts'
import { DomainChoice } from '../views/domain-choice.tsx'

const steps = ['Invite', 'Role', 'Welcome note', 'Review'] as const
const inputSteps = [0, 1, 2]
const maxNoteLength = 1000

interface PeopleInviteDraft {
  domainId: string | null
  addresses: string
  role: MemberRole | null
  note: string
  step: number
}
const emptyInviteDraft: PeopleInviteDraft = { domainId: null, addresses: '', role: null, note: '', step: 0 }

interface PeopleWizardProps {
  board: PeopleBoardData
  domainId: string | null
}

export function PeopleWizard({ board, domainId }: PeopleWizardProps) {
  const queryClient = useQueryClient()
  const draft = useDraft<PeopleInviteDraft>('people/invite', emptyInviteDraft)
  const [sent, setSent] = useState<{ invited: readonly InvitationWithLink[]; domainName: string }>()
  const [failure, setFailure] = useState<string>()
  const [stepError, setStepError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const managedDomains = board.domains.filter(({ canManage }) => canManage)
  const { addresses, role, note, step } = draft.value
  const domain = managedDomains.find(({ id }) => id === (draft.value.domainId ?? domainId)) ?? managedDomains[0]
  const parsedAddresses = mergeEmails([], parseEmails(addresses))
  const invalidAddresses = parsedAddresses.filter(validateEmail)
  const validAddresses = parsedAddresses.filter((address) => !validateEmail(address))
  const updateDraft = (change: Partial<PeopleInviteDraft>) => draft.set({ ...draft.value, ...change })

  if (board.samples || !domain)
    return (
      <EmptyPanel
        drawing="letter"
        title={board.samples ? 'You can only invite to your own domains' : 'You can’t invite people here'}
      >
        {board.samples
          ? 'In your own domains, this wizard has four steps: invite, role, welcome note and review.'
          : 'Only the owner and admins of a domain can invite people.'}
      </EmptyPanel>
    )
  if (sent)
    return <SentInvitations sent={sent.invited} domainName={sent.domainName} onInviteMore={() => setSent(undefined)} />

  function validateStep(stepIndex: number): string | undefined {
    if (stepIndex === 0) {
      if (invalidAddresses.length > 0) return `Not an email address: ${invalidAddresses.slice(0, 3).join(', ')}`
      return checkEmailCount(validAddresses.length)
    }
    if (stepIndex === 1 && !role) return 'Choose a role.'
    if (stepIndex === 2 && note.length > maxNoteLength) return 'Use at most 1,000 characters.'
    return undefined
  }
  function goToStep(to: number) {
    const firstInvalidStep =
      to > step ? inputSteps.find((stepIndex) => stepIndex < to && validateStep(stepIndex)) : undefined
    setStepError(firstInvalidStep === undefined ? undefined : validateStep(firstInvalidStep))
    setFailure(undefined)
    updateDraft({ step: firstInvalidStep ?? to })
    requestAnimationFrame(() => heading.current?.focus())
  }
  async function send() {
    if (busy) return
    const firstInvalidStep = inputSteps.find((stepIndex) => validateStep(stepIndex))
    if (firstInvalidStep !== undefined || !domain || !role) return goToStep(firstInvalidStep ?? 0)
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { emails: validAddresses, role, ...(note.trim() && { note }) }
      const invited = await call(invitations.create, { params: { id: domain.id }, body })
      setSent({ invited, domainName: domain.name })
      draft.clear()
      await queryClient.invalidateQueries({ queryKey: ['people'] })
    } catch (reason) {
      const problems = mapProblemsByEmail((reason instanceof ApiError && reason.fields) || {}, validAddresses)
      const problemTexts = Object.entries(problems).map(([address, problem]) => `${address}: ${problem}`)
      const message = getPeopleErrorDetail(reason)
      setFailure(
        reason instanceof ApiError && reason.status < 500
          ? `No one was invited. ${problemTexts.length > 0 ? problemTexts.join(' ') : message}`
          : `${message} They may already be invited. If you send again, each person gets a new link and the old one stops working.`,
      )
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="max-w-[680px] rounded-lg border border-border bg-card p-6 shadow-e1 phone:p-4">
      <ReadOnlyWhile while={busy}>
        <ol aria-label="Steps" className="mb-6 flex flex-wrap gap-x-5 gap-y-2">
          {steps.map((title, stepIndex) => (
            <li key={title}>
              <button
                type="button"
                aria-current={stepIndex === step ? 'step' : undefined}
                onClick={() => goToStep(stepIndex)}
                className={classNames(
                  'flex min-h-7 items-center gap-2 rounded-sm text-ui',
                  stepIndex === step ? 'font-semibold' : 'text-muted-foreground hover:text-foreground',
                )}
              >
                <span
                  aria-hidden
                  className={classNames(
                    'grid size-6 place-items-center rounded-full border text-small tabular-nums',
                    stepIndex === step ? 'border-primary bg-primary text-primary-foreground' : 'border-input',
                  )}
                >
                  {stepIndex + 1}
                </span>
                {title}
              </button>
            </li>
          ))}
        </ol>
      </ReadOnlyWhile>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (step === steps.length - 1) void send()
          else goToStep(step + 1)
        }}
      >
        <h2 ref={heading} tabIndex={-1} className="mb-4 text-h2 outline-hidden">
          {steps[step]}
        </h2>
        {failure && (
          <Banner tone="error" className="mb-4">
            {failure} Your text is still here.
          </Banner>
        )}
        {step === 0 && (
          <div className="flex flex-col gap-4">
            {managedDomains.length > 1 && (
              <DomainChoice
                domains={managedDomains}
                value={domain.id}
                onChange={(id) => updateDraft({ domainId: id })}
              />
            )}
            <TextArea
              label="Email addresses"
              required
              rows={4}
              value={addresses}
              onChange={({ currentTarget }) => {
                updateDraft({ addresses: currentTarget.value })
                setStepError(undefined)
              }}
              aside={validAddresses.length > 0 ? `${validAddresses.length} of ${maxEmails}` : undefined}
              help="One per line, or separated by commas. Each person gets a link that works for 14 days."
              error={stepError}
            />
          </div>
        )}
        {step === 1 && (
          <ChoiceCards
            label="Role"
            labelHidden
            required
            options={memberRoles.map((value) => ({
              value,
              title: roleNames[value],
              description: roleSentences[value],
            }))}
            value={role}
            onValueChange={(value) => {
              updateDraft({ role: value })
              setStepError(undefined)
            }}
            error={stepError}
          />
        )}
        {step === 2 && (
          <TextArea
            label="Welcome note"
            serif
            rows={5}
            value={note}
            onChange={({ currentTarget }) => updateDraft({ note: currentTarget.value })}
            aside={`${note.length.toLocaleString('en-US')} of 1,000`}
            help="Optional. Shown with the invitation."
            error={stepError}
          />
        )}
        {step === 3 && (
          <dl className="grid grid-cols-[120px_minmax(0,1fr)] gap-x-4 gap-y-3 text-ui phone:grid-cols-1 phone:gap-y-1">
            <dt className="text-muted-foreground">Domain</dt>
            <dd dir="auto">{domain.name}</dd>
            <dt className="text-muted-foreground">{pluralize(validAddresses.length, 'person', 'people')}</dt>
            <dd className="wrap-anywhere">{validAddresses.join(', ')}</dd>
            <dt className="text-muted-foreground">Role</dt>
            <dd>{role && `${roleNames[role]}. ${roleSentences[role]}`}</dd>
            <dt className="text-muted-foreground">Welcome note</dt>
            <dd className={note.trim() ? 'font-serif text-read whitespace-pre-wrap wrap-anywhere' : ''}>
              {note.trim() || 'None'}
            </dd>
          </dl>
        )}
        <div className="mt-6 flex flex-wrap justify-between gap-2">
          <Button onClick={() => goToStep(step - 1)} disabled={step === 0 || busy}>
            Back
          </Button>
          {step < steps.length - 1 ? (
            <Button type="submit" variant="primary">
              Next
            </Button>
          ) : (
            <Button type="submit" variant="primary" busy={busy} busyLabel="Inviting...">
              {`Invite ${pluralize(validAddresses.length, 'person', 'people')}`}
            </Button>
          )}
        </div>
      </form>
    </div>
  )
}

interface SentInvitationsProps {
  sent: readonly InvitationWithLink[]
  domainName: string
  onInviteMore: () => void
}

function SentInvitations({ sent, domainName, onInviteMore }: SentInvitationsProps) {
  const areAllEmailed = sent.every((invitation) => invitation.mailed)
  const expiresAt = sent[0]?.expiresAt
  return (
    <section
      aria-label="Invited"
      className="max-w-[680px] rounded-lg border border-border bg-card p-6 shadow-e1 phone:p-4"
    >
      <div role="status">
        <h2 className="text-h2">
          {pluralize(sent.length, 'person', 'people')} invited to {domainName}
        </h2>
      </div>
      <p className="mt-1 mb-4 text-ui text-muted-foreground">
        {areAllEmailed ? 'The links were emailed.' : 'Copy each link and send it yourself.'}{' '}
        {expiresAt && (
          <>
            The links are valid until <Time value={expiresAt} />.
          </>
        )}
      </p>
      <InvitedLinks invited={sent} />
      <div className="mt-5 flex flex-wrap gap-2">
        {sent.length > 1 && (
          <CopyButton text={sent.map(({ email, link }) => `${email}\t${link}`).join('\n')} size="medium">
            Copy all
          </CopyButton>
        )}
        <Button onClick={onInviteMore}>Invite more</Button>
      </div>
    </section>
  )
}
