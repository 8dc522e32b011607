import { useMutation } from '@tanstack/react-query'
import { Check, MessageCircleQuestionMark, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { getChangedStatements } from '#contract/keepers/sole-statements.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { ApiError, call, getServerMessage, stream } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { SoleDetails } from './current-sole.tsx'
import { StatementRow } from './statement-row.tsx'
import { useSoleParts } from './use-sole.ts'

interface PendingDraftProps {
  draft: SoleVersion
  activeVersion: SoleVersion | undefined
  canOpenSources: boolean
  /** Just created on this page: scrolls into view and takes focus. */
  isNew?: boolean
  onDecided: () => unknown
}

export function PendingDraft({ draft, activeVersion, canOpenSources, isNew = false, onDecided }: PendingDraftProps) {
  const { keeperId, version } = draft
  // Decisions about a demo keeper are lost on reload, and no agent is called.
  const isDemo = isDemoKeeper(keeperId)
  const params = { id: keeperId }
  const heading = useScrollToOpened<HTMLHeadingElement>(draft.version, isNew)
  const changedStatements = useMemo(() => getChangedStatements(draft.statements), [draft])
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<string>>(new Set())
  const [view, setView] = useState<'changes' | 'text'>('changes')
  const { requestApproval, dialog } = useMemoryApproval(keeperId, { isDemo })
  const [isRejecting, setRejecting] = useState(false)
  const chosenStatements = changedStatements.filter(({ id }) => !excludedIds.has(id))
  const activeTexts = new Map(activeVersion?.statements.map((statement) => [statement.id, statement.text]))

  function setStatementChosen(id: string, isChosen: boolean) {
    const nextExcludedIds = new Set(excludedIds)
    if (isChosen) nextExcludedIds.delete(id)
    else nextExcludedIds.add(id)
    setExcludedIds(nextExcludedIds)
  }

  const approve = useMutation({
    async mutationFn() {
      const chosenIds =
        chosenStatements.length < changedStatements.length ? chosenStatements.map(({ id }) => id) : undefined
      const choice = { ...(chosenIds && { statementIds: chosenIds }) }
      const approval = await requestApproval({ entity: 'sole', ...choice })
      if (!approval) return
      const { goldenCheck } = approval
      await call(sole.approve, { params, body: { version, ...choice, ...(goldenCheck && { goldenCheck }) } })
      void showToast(['Approved.', approval.note].filter(Boolean).join(' '))
      await onDecided()
    },
  })
  const failureReason = approve.error instanceof ApiError ? approve.error.serverMessage : approve.error?.message

  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 ref={heading} {...(isNew && { tabIndex: -1 })}>
          Pending SOLE Draft
        </h2>
        <Badge tone="warning" dot>
          Awaiting Review
        </Badge>
      </div>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-3">
        <SoleDetails version={draft} timestampLabel="Submitted at" />
        <SegmentedControl
          label="Show the draft as"
          options={[
            { value: 'changes', label: 'Changes' },
            { value: 'text', label: 'Content' },
          ]}
          value={view}
          onValueChange={setView}
        />
      </div>

      {view === 'text' ? (
        <p className="mt-4 font-serif text-[1.0625rem] leading-[1.625rem] whitespace-pre-wrap wrap-break-word">
          {draft.content || 'This draft is empty.'}
        </p>
      ) : (
        <>
          <p className="mt-4 text-ui text-muted-foreground">{formatChangeCounts(draft)}</p>
          <ul aria-label="Statements of the draft" className="mt-2 flex flex-col gap-1.5">
            {draft.statements.map((statement) => (
              <StatementRow
                key={statement.id}
                kind={statement.kind}
                previousText={
                  activeTexts.get(statement.replacesId ?? '') ??
                  (statement.kind === 'drop' ? statement.text : undefined)
                }
                nextText={statement.kind === 'drop' ? undefined : statement.text}
                sources={statement.sources}
                keeperId={draft.keeperId}
                canOpenSources={canOpenSources}
                {...(statement.kind !== 'keep' &&
                  changedStatements.length > 1 && {
                    choice: {
                      checked: !excludedIds.has(statement.id),
                      onChange: (isChosen: boolean) => setStatementChosen(statement.id, isChosen),
                    },
                  })}
              />
            ))}
          </ul>
        </>
      )}

      {approve.error && (
        <Banner tone="error" className="mt-4" onDismiss={approve.reset}>
          <p className="font-semibold">Failed to approve SOLE draft</p>
          {failureReason && failureReason !== 'Failed to approve SOLE draft' && <p>{failureReason}</p>}
        </Banner>
      )}
      {chosenStatements.length < changedStatements.length && (
        <p className="mt-4 text-small text-muted-foreground">
          {chosenStatements.length === 0
            ? 'Choose at least one statement, or reject the draft.'
            : 'Unchecked statements stay as they are: added ones are left out, changed and dropped ones keep their current text.'}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2" data-chrome>
        <Button
          variant="primary"
          busy={approve.isPending}
          busyLabel="Approving..."
          disabled={chosenStatements.length === 0}
          onClick={() => approve.mutate()}
          icon={<Check aria-hidden size={15} />}
        >
          {chosenStatements.length === changedStatements.length
            ? 'Approve'
            : `Approve ${chosenStatements.length} of ${changedStatements.length}`}
        </Button>
        <Button onClick={() => setRejecting(true)} icon={<X aria-hidden size={15} />}>
          Reject
        </Button>
        <DraftExplanation draft={draft} isDemo={isDemo} />
      </div>
      {dialog}
      {isRejecting && (
        <RejectDialog
          target={draft}
          onClose={() => setRejecting(false)}
          onReject={async (reason) => {
            await call(sole.reject, { params, body: { version, reason } })
            void showToast('Draft rejected.')
            await onDecided()
          }}
        />
      )}
    </Card>
  )
}

function DraftExplanation({ draft, isDemo }: { draft: SoleVersion; isDemo: boolean }) {
  const run = useSoleParts().useRun()
  const [showsSample, setShowsSample] = useState(false)

  function explain() {
    // biome-ignore lint/suspicious/noConsole: the specification requires the log entry; the text itself is not logged
    console.log('Request explanation for SOLE draft', { keeperId: draft.keeperId, version: draft.version })
    if (isDemo) return setShowsSample(true)
    const params = { id: draft.keeperId }
    void run.start((signal, onEvent) => stream(sole.explain, { params, body: {}, signal }, onEvent))
  }

  return (
    <>
      <Button
        variant="plain"
        busy={run.status === 'running'}
        busyLabel="Explaining..."
        onClick={explain}
        icon={<MessageCircleQuestionMark aria-hidden size={15} />}
      >
        Request Explanation
      </Button>
      {(run.status || showsSample) && (
        <section aria-label="Explanation of the draft" className="mt-2 w-full border-t border-hairline pt-3.5">
          <h3 className="mb-2">Explanation</h3>
          {showsSample ? <SampleExplanation draft={draft} /> : run.content}
        </section>
      )}
    </>
  )
}

/** For demo keepers, lists the quotes behind each statement instead of calling an agent. */
function SampleExplanation({ draft }: { draft: SoleVersion }) {
  return (
    <>
      <p className="mb-2 text-small text-muted-foreground">
        This is a sample, so no agent was asked. In your own keeper, an agent explains each statement here.
      </p>
      <ol className="list-decimal ps-5 font-serif text-[1rem] leading-6">
        {getChangedStatements(draft.statements).map(({ id, text, sources }) => (
          <li key={id} className="mb-2">
            {text} {sources.map(({ quote }) => `Its source says: “${quote}”`).join(' ')}
          </li>
        ))}
      </ol>
    </>
  )
}

function formatChangeCounts({ statements }: SoleVersion): string {
  const countKind = (kind: string) => statements.filter((statement) => statement.kind === kind).length
  const changeCounts = [
    { label: 'added', count: countKind('add') },
    { label: 'changed', count: countKind('change') },
    { label: 'dropped', count: countKind('drop') },
    { label: 'kept', count: countKind('keep') },
  ]
  return changeCounts
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count} ${label}`)
    .join(', ')
}

interface RejectDialogProps {
  target: { keeperId: string; version: number }
  onClose: () => void
  onReject: (reason: string) => Promise<unknown>
}

function RejectDialog({ target, onClose, onReject }: RejectDialogProps) {
  const form = useSubmitForm({
    draftKey: `sole/${target.keeperId}/${target.version}/reason`,
    blank: { reason: '' },
    validate: ({ reason }) => ({
      ...(reason.trim() === '' && { reason: 'Enter a reason. The next agent to write a draft reads it.' }),
    }),
    submit: ({ reason }) => onReject(reason.trim()),
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title="Reject this draft?"
      description="The draft won’t become memory. It stays in the history with your reason."
      saveLabel="Reject draft"
      busyLabel="Rejecting..."
      failureTitle={getServerMessage(form.failure) ?? 'Failed to reject SOLE draft'}
      tone="danger"
      locksWhileBusy
    >
      <TextArea
        label="Reason"
        required
        help="The next agent to write a draft reads your reason."
        maxLength={2000}
        {...form.field('reason')}
      />
    </EntityFormDialog>
  )
}
