import { PenLine, Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { sole } from '#contract/keepers/sole.ts'
import { splitSentences } from '#contract/keepers/sole-statements.ts'
import { call, stream } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getMetadataPath } from '../keeper-addresses.ts'
import { getPatternLabel, hasStandingStory } from '../keeper-labels.ts'
import { CurrentSole } from './current-sole.tsx'
import { PendingDraft } from './pending-draft.tsx'
import { ReviewNotice, SoleReviewers } from './review-inbox.tsx'
import { SoleHistory } from './sole-history.tsx'
import { type Sole, useSole, useSoleParts } from './use-sole.ts'

const PatternSections = lazyComponent(
  async () => (await import('./pattern-sections.tsx')).PatternSections,
  <Skeleton className="mt-9 h-64" />,
)

export function SolePanel({ keeper }: { keeper: Keeper }) {
  return hasStandingStory(keeper) ? <ActiveSolePanel keeper={keeper} /> : <InactiveSolePanel keeper={keeper} />
}

function ActiveSolePanel({ keeper }: { keeper: Keeper }) {
  const [query] = useSearchParams()
  const { sole, query: versionsQuery } = useSole(keeper.id)
  const { draft, activeVersion, isDemo, refresh } = sole
  const openVersion = Number(query.get('version')) || undefined
  const [createdVersion, setCreatedVersion] = useState<number>()
  return (
    <div className="grid gap-x-10 gap-y-9 desk:grid-cols-[minmax(0,1fr)_270px]">
      <div className="min-w-0">
        <QueryStatus query={versionsQuery} skeletonClassName="h-64">
          Nothing was changed.
        </QueryStatus>
        {versionsQuery.data && (
          <>
            {draft && (
              <section aria-label="Pending draft" className="mb-9">
                <PendingDraft
                  key={draft.version}
                  draft={draft}
                  activeVersion={activeVersion}
                  canOpenSources={!isDemo}
                  isNew={draft.version === createdVersion}
                  onDecided={refresh}
                />
              </section>
            )}
            <section aria-labelledby="current-sole">
              <h2 id="current-sole" className="mb-3">
                Current SOLE Architecture
              </h2>
              <CurrentSole activeVersion={activeVersion} canOpenSources={!isDemo} />
            </section>
            <SoleHistory sole={sole} openVersion={openVersion} />
          </>
        )}
      </div>
      {/* Hidden on a phone, where it follows the versions, until their height is known. */}
      <aside
        className={classNames('flex min-w-0 flex-col gap-8', versionsQuery.isPending && 'phone:hidden')}
        data-chrome
      >
        {isDemo && (
          <p className="text-ui text-muted-foreground">
            This is a sample. You can approve, reject and restore; the sample resets when you come back.
          </p>
        )}
        {!isDemo && <ReviewNotice />}
        <RequestDraft sole={sole} onCreated={setCreatedVersion} />
        <WriteDraft sole={sole} onCreated={setCreatedVersion} />
        {!isDemo && <SoleReviewers keeperId={keeper.id} />}
        <PatternNote />
      </aside>
    </div>
  )
}

function InactiveSolePanel({ keeper }: { keeper: Keeper }) {
  return (
    <>
      <EmptyPanel
        drawing="seal"
        title="SOLE Memory Pattern Not Active"
        action={<LinkButton to={getMetadataPath(keeper.id)}>Open keeper metadata</LinkButton>}
      >
        {keeper.memoryPattern === ''
          ? 'This keeper has no memory pattern.'
          : `This keeper uses the pattern ${getPatternLabel(keeper.memoryPattern)}, which has no standing story.`}{' '}
        To give this keeper a story, choose SOLE or another pattern with a story on its metadata page. The keeper’s
        content is shown below.
      </EmptyPanel>
      <PatternSections keeper={keeper} />
    </>
  )
}

function PatternNote() {
  return (
    <section aria-labelledby="about-sole" className="text-ui">
      <h2 id="about-sole" className="mb-2 text-[1.0625rem]">
        About the SOLE pattern
      </h2>
      <div className="flex flex-col gap-2 text-muted-foreground">
        <p>A SOLE is the one standing story of this keeper, told in single statements.</p>
        <p>
          An agent drafts it from your memory cards and quotes them letter for letter. A draft with a quote that isn’t
          in its card is refused.
        </p>
        <p>
          A draft has no effect until you approve it. From then on, agents of this keeper’s type read the approved
          statements and nothing else in the SOLE.
        </p>
        <p>Every version is kept with its decision and reason, and can be restored.</p>
      </div>
    </section>
  )
}

function WriteDraft({ sole, onCreated }: { sole: Sole; onCreated: (version: number) => void }) {
  const [isOpen, setOpen] = useState(false)
  const hasDraft = sole.draft !== undefined
  return (
    <section aria-labelledby="write-draft">
      <h2 id="write-draft" className="mb-2 text-[1.0625rem]">
        Write it yourself
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        Your own text becomes a draft too, so you can see what changes.
      </p>
      <Button disabled={hasDraft} onClick={() => setOpen(true)} icon={<PenLine aria-hidden size={15} />}>
        Write a draft
      </Button>
      {isOpen && <DraftEditorDialog sole={sole} onCreated={onCreated} onClose={() => setOpen(false)} />}
    </section>
  )
}

interface DraftEditorDialogProps {
  sole: Sole
  onCreated: (version: number) => void
  onClose: () => void
}

function DraftEditorDialog({ sole: { keeperId, activeVersion, refresh }, onCreated, onClose }: DraftEditorDialogProps) {
  const activeText = activeVersion?.statements.map(({ text }) => text).join('\n') ?? ''
  // The discarded text, available for Undo until the next edit.
  const [discardedText, setDiscardedText] = useState<string>()
  const createdVersion = useRef(0)
  const form = useSubmitForm({
    draftKey: `sole/${keeperId}`,
    blank: { content: activeText },
    async submit(body) {
      createdVersion.current = (await call(sole.submitDraft, { params: { id: keeperId }, body })).version
    },
    async onSaved() {
      onClose()
      await refresh()
      onCreated(createdVersion.current)
    },
  })
  const { content } = form.values
  const statementCount = splitSentences(content).length

  function startOverOrUndo() {
    setDiscardedText(discardedText === undefined ? content : undefined)
    if (discardedText === undefined) form.discard()
    else form.set({ content: discardedText })
  }

  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      size="large"
      title="Write a draft"
      description="Each sentence is a statement. Leave one out to propose dropping it; reword one to propose a change."
      saveLabel="Submit for review"
      busyLabel="Submitting..."
      failureTitle="Failed to submit the draft"
      disabled={statementCount === 0}
      locksWhileBusy
    >
      <TextArea
        label="The story"
        serif
        rows={10}
        disabled={!form.ready}
        maxLength={100_000}
        {...form.field('content')}
        onChange={(event) => {
          setDiscardedText(undefined)
          form.set({ content: event.currentTarget.value })
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-small text-muted-foreground tabular-nums">
          {pluralize(statementCount, 'statement')}
          {form.restored && ', restored from your draft'}
        </p>
        <Button disabled={content === activeText && discardedText === undefined} onClick={startOverOrUndo}>
          {discardedText === undefined ? 'Start over' : 'Undo'}
        </Button>
      </div>
    </EntityFormDialog>
  )
}

interface RequestDraftProps {
  sole: Sole
  /** Called when the draft arrives, unless focus has moved elsewhere. */
  onCreated: (version: number) => void
}

function RequestDraft({ sole: { keeperId, isDemo, versions, draft, refresh }, onCreated }: RequestDraftProps) {
  const { useRun, useAgents } = useSoleParts()
  const agents = useAgents()
  const run = useRun()
  const [agentId, setAgentId] = useState('')
  const [hasRefreshed, setHasRefreshed] = useState(false)
  const sectionRef = useRef<HTMLElement>(null)

  async function requestDraft() {
    setHasRefreshed(false)
    const body = agentId ? { agentId } : {}
    await run.start((signal, onEvent) => stream(sole.askForDraft, { params: { id: keeperId }, body, signal }, onEvent))
    await refresh()
    setHasRefreshed(true)
  }

  // Searches all versions, because a decided draft is no longer a draft.
  const submittedVersion = versions.find(({ runId }) => runId !== null && runId === run.runId)?.version
  useEffect(() => {
    const focusedElement = document.activeElement
    const hasFocusMoved = focusedElement !== document.body && !sectionRef.current?.contains(focusedElement)
    if (submittedVersion !== undefined && !hasFocusMoved) onCreated(submittedVersion)
  }, [submittedVersion, onCreated])

  return (
    <section ref={sectionRef} aria-labelledby="ask-for-draft">
      <h2 id="ask-for-draft" className="mb-2 text-[1.0625rem]">
        Ask an agent for a draft
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        The agent reads this keeper’s title and purpose, the memory cards visible to agents, the approved statements,
        the statements you left out, and your reasons for rejecting earlier drafts.
      </p>
      <SelectField
        label="Agent"
        value={agentId}
        onChange={(event) => setAgentId(event.currentTarget.value)}
        disabled={run.status === 'running'}
        options={[
          { value: '', label: 'Platform agent' },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Button
        className="mt-3"
        busy={run.status === 'running'}
        busyLabel="Drafting..."
        disabled={isDemo || draft !== undefined}
        onClick={requestDraft}
        icon={<Sparkles aria-hidden size={15} />}
      >
        Ask for a draft
      </Button>
      {isDemo && <p className="mt-2 text-small text-muted-foreground">This is a sample, so no agent is asked.</p>}
      {!isDemo && draft && (
        <p className="mt-2 text-small text-muted-foreground">A draft is already waiting. Approve or reject it first.</p>
      )}
      {run.status && (
        <div className="mt-4 border-t border-hairline pt-3.5">
          {run.content}
          {run.status === 'success' && hasRefreshed && submittedVersion === undefined && (
            <Banner tone="error" className="mt-3">
              The agent didn’t submit a valid draft.{run.toolResult ? ` ${run.toolResult}` : ' Try again.'}
            </Banner>
          )}
        </div>
      )}
    </section>
  )
}
