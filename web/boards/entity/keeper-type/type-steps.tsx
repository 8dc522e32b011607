import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { getFrameLibrary, getFrameTypeName } from '#contract/boards/frame-types.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { useCustomPatterns } from '#web/keepers/memory-pattern-queries.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { type Choice, ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { removeFrames } from '../../document/board-document.ts'
import { useBoard, useBoardEditor } from '../../document/use-board-editor.tsx'
import { FrameIcon } from '../../frames/frame-icons.tsx'
import { AddFrameMenu } from '../edit-board.tsx'
import { getTypeDraftChanges, isUnchanged } from './type-draft.ts'
import type { StepProps } from './type-wizard.tsx'

const builtInPatterns: Choice<string>[] = [
  {
    value: 'SOLE',
    title: 'SOLE',
    description: 'One standing story, drafted from kept entries and approved by a person.',
  },
  {
    value: 'CRMTimeline',
    title: 'CRM Timeline',
    description: 'Everything by date, on one timeline. No standing story.',
  },
  { value: 'journal', title: 'Journal', description: 'Day by day. No standing story.' },
  {
    value: 'tracker',
    title: 'Tracker',
    description: 'Grouped by topic. No standing story.',
  },
  {
    value: 'palace',
    title: 'Palace',
    description: 'Grouped by place. No standing story.',
  },
]

interface PatternStepProps extends StepProps {
  isSample: boolean
  errors: Record<string, string> | undefined
}

export function PatternStep({ isSample, ...stepProps }: PatternStepProps) {
  return isSample ? <Patterns {...stepProps} customPatterns={[]} /> : <WithCustomPatterns {...stepProps} />
}

function WithCustomPatterns(props: Omit<PatternStepProps, 'isSample'>) {
  const customPatterns = useCustomPatterns().map(({ value, label, description }) => ({
    value,
    title: label,
    description,
  }))
  return <Patterns {...props} customPatterns={customPatterns} />
}

function Patterns({
  draft,
  onDraftChange,
  readOnly,
  errors,
  customPatterns,
}: Omit<PatternStepProps, 'isSample'> & { customPatterns: Choice<string>[] }) {
  const { memoryPattern } = draft.values
  const options = [
    ...builtInPatterns,
    ...customPatterns.filter(({ value }) => builtInPatterns.every((pattern) => pattern.value !== value)),
  ]
  // Keeps an unlisted value selectable.
  if (!options.some(({ value }) => value === memoryPattern))
    options.push({ value: memoryPattern, title: getPatternLabel(memoryPattern) })
  return (
    <ChoiceCards
      label="How do keepers of this type remember?"
      options={options.map((option) => ({ ...option, disabled: readOnly }))}
      value={memoryPattern}
      error={errors?.memoryPattern}
      onValueChange={(value) => onDraftChange({ ...draft, values: { ...draft.values, memoryPattern: value } })}
    />
  )
}

interface AgentsStepProps extends StepProps {
  typeId: string
  /** As saved on the server; the draft can differ. */
  assignedAgents: readonly Agent[]
  isSample: boolean
}

export function AgentsStep({ isSample, typeId, ...step }: AgentsStepProps) {
  return (
    <div className="grid gap-7">
      <section aria-labelledby="type-agents">
        <h3 id="type-agents" className="font-sans text-ui font-semibold tracking-normal">
          Default agent
        </h3>
        <p className="mb-2 text-small text-muted-foreground">
          Agents that can use the memory of keepers of this type in their answers.
        </p>
        {isSample ? <AgentCheckboxes {...step} availableAgents={step.assignedAgents} /> : <AgentChooser {...step} />}
      </section>
      <section aria-labelledby="type-frames">
        <div className="mb-2 flex flex-wrap items-center gap-3">
          <h3 id="type-frames" className="flex-1 font-sans text-ui font-semibold tracking-normal">
            Frames
          </h3>
          {!step.readOnly && (
            <AddFrameMenu
              types={getFrameLibrary('keeper-type')}
              getFrameDefaults={() => ({ entityType: 'keeper-type', entityId: typeId })}
            />
          )}
        </div>
        <FrameList readOnly={step.readOnly} />
      </section>
    </div>
  )
}

/** Only agents with edit rights can be assigned. */
function AgentChooser(step: Omit<AgentsStepProps, 'isSample' | 'typeId'>) {
  const { data } = useAgentList()
  const assignableAgents = (data?.source === 'server' ? data.agents : []).filter(
    ({ id, may }) => may.edit && step.assignedAgents.every((agent) => agent.id !== id),
  )
  return (
    <AgentCheckboxes
      {...step}
      availableAgents={step.readOnly ? step.assignedAgents : [...step.assignedAgents, ...assignableAgents]}
    />
  )
}

function AgentCheckboxes({
  draft,
  onDraftChange,
  readOnly,
  availableAgents,
}: StepProps & { availableAgents: readonly Agent[] }) {
  const { agentIds } = draft
  if (availableAgents.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3 text-ui text-muted-foreground">
        {readOnly ? 'No agents assigned.' : 'You have no agents to assign.'}
        {!readOnly && (
          <LinkButton size="small" to="/studio/agents">
            Manage Agents
          </LinkButton>
        )}
      </p>
    )
  }
  return (
    <ul aria-label="Agents" className="grid gap-2">
      {availableAgents.map((agent) => (
        <li key={agent.id} className="flex items-center gap-2.5">
          <AgentSeal agent={agent} size={28} />
          <Checkbox
            label={agent.name}
            help={agent.may.edit || readOnly ? agent.purpose : 'Only people who can edit this agent can assign it.'}
            checked={agentIds.includes(agent.id)}
            disabled={readOnly || !agent.may.edit}
            onCheckedChange={(isChecked) =>
              onDraftChange({
                ...draft,
                agentIds: isChecked ? [...agentIds, agent.id] : agentIds.filter((id) => id !== agent.id),
              })
            }
            className="min-w-0 flex-1"
          />
        </li>
      ))}
    </ul>
  )
}

function FrameList({ readOnly }: { readOnly: boolean }) {
  const editor = useBoardEditor()
  const frames = useBoard(({ document }) => document.frames)
  if (frames.length === 0) return <p className="text-ui text-muted-foreground">No frames on this board yet.</p>
  return (
    <ul aria-label="Frames" className="border-t border-hairline">
      {frames.map(({ id, data }) => (
        <li key={id} className="flex items-center gap-2.5 border-b border-hairline py-2 text-ui">
          <FrameIcon name={data.icon} />
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {data.name}
          </span>
          <span className="text-small text-muted-foreground">{getFrameTypeName(data.frameType)}</span>
          {!readOnly && (
            <IconButton
              label={`Remove ${data.name}`}
              size="small"
              onClick={() => editor.edit(`Delete ${data.name}`, removeFrames(new Set([id])))}
            >
              <Trash2 aria-hidden size={15} />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}

interface ReviewStepProps extends StepProps {
  type: KeeperType
}

export function ReviewStep({ draft, readOnly, type }: ReviewStepProps) {
  const { values, linkedIds, unlinkedIds, isReordered, assignedIds, unassignedIds } = getTypeDraftChanges(draft)
  const frameCount = useBoard(({ document }) => document.frames.length)
  const hasBoardChanges = useBoard(({ isDirty }) => isDirty)
  const { name, description, memoryPattern } = draft.values
  const hasNoChanges = isUnchanged(draft) && !hasBoardChanges
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-ui">
        <ReviewLine label="Name" changed={'name' in values}>
          {name}
        </ReviewLine>
        <ReviewLine label="Purpose" changed={'description' in values}>
          {description || '–'}
        </ReviewLine>
        <ReviewLine label="Memory pattern" changed={'memoryPattern' in values}>
          {getPatternLabel(memoryPattern)}
        </ReviewLine>
        <ReviewLine label="Engagement templates" changed={isReordered || linkedIds.length + unlinkedIds.length > 0}>
          {pluralize(draft.templateIds.length, 'template')}
          {formatChanges({ added: linkedIds, removed: unlinkedIds, isReordered })}
        </ReviewLine>
        <ReviewLine label="Default agent" changed={assignedIds.length + unassignedIds.length > 0}>
          {pluralize(draft.agentIds.length, 'agent')}
          {formatChanges({ added: assignedIds, removed: unassignedIds })}
        </ReviewLine>
        <ReviewLine label="Frames" changed={hasBoardChanges}>
          {pluralize(frameCount, 'frame')}
        </ReviewLine>
        <ReviewLine label="Keepers using this type" changed={false}>
          {pluralize(type._count.Keeper, 'keeper')}
        </ReviewLine>
      </dl>
      {!readOnly && (
        <p className="mt-5 text-ui text-muted-foreground">
          {hasNoChanges
            ? 'No unpublished changes.'
            : 'Changes marked with a dot aren’t published yet. Publishing applies them to every keeper of this type.'}
        </p>
      )}
    </>
  )
}

interface ListChanges {
  added: readonly string[]
  removed: readonly string[]
  isReordered?: boolean
}

function formatChanges({ added, removed, isReordered = false }: ListChanges): string {
  const parts = [
    added.length > 0 && `${added.length} new`,
    removed.length > 0 && `${removed.length} removed`,
    isReordered && 'reordered',
  ]
  const text = parts.filter((part) => part !== false).join(', ')
  return text && ` (${text})`
}

export function UnpublishedDot() {
  return (
    <span title="Not published yet" className="size-2 shrink-0 rounded-full bg-ribbon">
      <span className="sr-only">, not published yet</span>
    </span>
  )
}

function ReviewLine({ label, changed, children }: { label: string; changed: boolean; children: ReactNode }) {
  return (
    <div className="col-span-full grid grid-cols-subgrid phone:grid-cols-1">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="flex min-w-0 items-baseline gap-2 wrap-break-word">
        <span className="min-w-0 wrap-break-word">{children}</span>
        {changed && <UnpublishedDot />}
      </dd>
    </div>
  )
}
