import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { sampleKeeperType, sampleTemplates } from '#contract/samples/sample-keeper-type.ts'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { getReadOnlyReason } from '#web/keepers/types/type-form.tsx'
import { useCrumb } from '#web/page/crumb.ts'
import { agentsOfTypeQuery, keeperTypesQuery, templatesOfTypeQuery } from '#web/queries/keeper-types-query.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { BoardPending, SampleNote } from '../board-states.tsx'
import { EditBoard } from '../edit-board.tsx'
import { EntityBoard, entityBoardQuery, ReadOnlyBoard, useBoardMode } from '../entity-board.tsx'
import { toTypeSnapshot } from './type-draft.ts'
import { TypeWizard } from './type-wizard.tsx'

/** Board of the type in `?keeperTypeId=`, or the sample. */
export function KeeperTypeBoardPage() {
  const [query] = useSearchParams()
  const idOrSlug = query.get('keeperTypeId') || demoIds['keeper-type']
  return idOrSlug === demoIds['keeper-type'] ? <SampleBoard /> : <TypeBoardById key={idOrSlug} idOrSlug={idOrSlug} />
}

function TypeBoardById({ idOrSlug }: { idOrSlug: string }) {
  const types = useQuery(keeperTypesQuery)
  const type = types.data?.find(({ id, slug }) => id === idOrSlug || slug === idOrSlug)
  useCrumb(type?.name)
  if (type) return <TypeBoard key={type.id} type={type} />
  if (types.data) {
    return (
      <EmptyPanel
        drawing="frames"
        title="Keeper type not found"
        action={<LinkButton to="/keeper/types">Keeper Types</LinkButton>}
      >
        This keeper type was deleted, or you no longer share a domain with its owner.
      </EmptyPanel>
    )
  }
  return <BoardPending queries={[types]} />
}

function TypeBoard({ type }: { type: KeeperType }) {
  const templates = useQuery(templatesOfTypeQuery(type.id))
  const agents = useQuery(agentsOfTypeQuery(type.id))
  const board = useQuery(entityBoardQuery('keeper-type', type.id))
  if (!templates.data || !agents.data || !board.data) return <BoardPending queries={[templates, agents, board]} />
  return (
    <EntityBoard query={board} entityType="keeper-type" entityId={type.id}>
      <KeeperTypeBoard type={type} templates={templates.data} agents={agents.data} />
    </EntityBoard>
  )
}

function SampleBoard() {
  const board = useQuery(entityBoardQuery('keeper-type', demoIds['keeper-type']))
  return (
    <EntityBoard query={board} entityType="keeper-type" entityId={demoIds['keeper-type']} isSample>
      <KeeperTypeBoard type={sampleKeeperType} templates={sampleTemplates} agents={sampleAgents.slice(0, 1)} isSample />
    </EntityBoard>
  )
}

const modes = [
  { value: 'wizard', label: 'Wizard' },
  { value: 'canvas', label: 'Canvas' },
] as const

export interface KeeperTypeBoardProps {
  type: KeeperType
  /** Linked templates, in order. */
  templates: readonly EngagementTemplate[]
  /** Assigned agents that the person can see. */
  agents: readonly Agent[]
  /** Read-only, without requests. */
  isSample?: boolean
}

/** `&mode=canvas` shows the frames; `&step=` (0–4) is the wizard step. */
export function KeeperTypeBoard({ type, templates, agents, isSample = false }: KeeperTypeBoardProps) {
  const { mode, setMode } = useBoardMode(modes)
  const snapshot = useMemo(() => toTypeSnapshot(type, templates, agents), [type, templates, agents])

  return (
    <>
      <PageHeader
        title={type.name}
        badges={
          <span className="flex flex-wrap gap-1.5">
            <Badge tone="outlined">{getPatternLabel(type.memoryPattern)}</Badge>
            {type.system && <Badge>System</Badge>}
            {isSample && <Badge tone="warning">sample</Badge>}
          </span>
        }
        subtitle={type.description}
        actions={
          <>
            <SegmentedControl label="Mode" options={modes} value={mode} onValueChange={setMode} />
            {!isSample && (
              <LinkButton to={`/keeper/types?type=${encodeURIComponent(type.id)}`}>Keeper Types</LinkButton>
            )}
          </>
        }
      />
      {isSample ? (
        <SampleNote />
      ) : (
        !type.mine && (
          <Banner tone="info" className="mb-4">
            {getReadOnlyReason(type)}
          </Banner>
        )
      )}
      {mode === 'wizard' && (
        <TypeWizard
          key={type.id}
          type={type}
          snapshot={snapshot}
          templates={templates}
          agents={agents}
          isSample={isSample}
        />
      )}
      {mode === 'canvas' && isSample && <ReadOnlyBoard isSample />}
      {mode === 'canvas' && !isSample && (
        <EditBoard
          types={getFrameLibrary('keeper-type')}
          getFrameDefaults={() => ({ entityType: 'keeper-type', entityId: type.id })}
          readOnly={!type.mine}
        />
      )}
    </>
  )
}
