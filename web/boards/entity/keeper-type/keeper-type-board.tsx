import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { SampleNote } from '../board-states.tsx'
import { EditBoard } from '../edit-board.tsx'
import { ReadOnlyBoard } from '../read-only-board.tsx'
import { toTypeSnapshot } from './type-draft.ts'
import { TypeWizard } from './type-wizard.tsx'

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
  sample?: boolean
}

/** `&mode=canvas` shows the frames; `&step=` (0–4) is the wizard step. */
export function KeeperTypeBoard({ type, templates, agents, sample = false }: KeeperTypeBoardProps) {
  const [params, setParams] = useSearchParams()
  const mode = params.get('mode') === 'canvas' ? 'canvas' : 'wizard'
  const snapshot = useMemo(() => toTypeSnapshot(type, templates, agents), [type, templates, agents])

  function show(next: string) {
    setParams((currentParams) => {
      const nextParams = new URLSearchParams(currentParams)
      if (next === 'canvas') nextParams.set('mode', next)
      else nextParams.delete('mode')
      return nextParams
    })
  }

  return (
    <>
      <PageHeader
        title={type.name}
        badges={
          <span className="flex flex-wrap gap-1.5">
            <Badge tone="outlined">{getPatternLabel(type.memoryPattern)}</Badge>
            {type.system && <Badge>System</Badge>}
            {sample && <Badge tone="warning">sample</Badge>}
          </span>
        }
        subtitle={type.description}
        actions={
          <>
            <SegmentedControl label="Mode" options={modes} value={mode} onValueChange={show} />
            {!sample && <LinkButton to={`/keeper/types?type=${encodeURIComponent(type.id)}`}>Keeper Types</LinkButton>}
          </>
        }
      />
      {sample ? <SampleNote /> : !type.mine && <ReadOnlyNote system={type.system} />}
      {mode === 'wizard' ? (
        <TypeWizard
          key={type.id}
          type={type}
          snapshot={snapshot}
          templates={templates}
          agents={agents}
          sample={sample}
        />
      ) : sample ? (
        <ReadOnlyBoard sample />
      ) : (
        <EditBoard
          types={getFrameLibrary('keeper-type')}
          getFrameDefaults={() => ({ entityType: 'keeper-type', entityId: type.id })}
          readOnly={!type.mine}
        />
      )}
    </>
  )
}

function ReadOnlyNote({ system }: { system: boolean }) {
  return (
    <Banner tone="info" className="mb-4">
      {system
        ? 'This is a system-reserved Keeper Type. Editing is disabled.'
        : 'Someone you share a domain with created this keeper type. Only they can change it.'}
    </Banner>
  )
}
