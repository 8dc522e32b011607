import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { sampleKeeperType, sampleTemplates } from '#contract/samples/sample-keeper-type.ts'
import { call } from '#web/api/api.ts'
import { keeperTypesKey, keeperTypesQuery, templatesOfTypeQuery } from '#web/queries/keeper-types-query.ts'
import { useCrumb } from '#web/shell/crumb.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { BoardEditorProvider } from '../../document/use-board-editor.tsx'
import { BoardError } from '../../layouts/board-error.tsx'
import { BoardSessionProvider } from '../../together/use-board-session.tsx'
import { BoardSkeleton } from '../board-states.tsx'
import { DeletedBoard } from '../deleted-board.tsx'
import { entityBoardQuery, isDeleted } from '../entity-board-query.ts'
import { KeeperTypeBoard } from './keeper-type-board.tsx'

/** Board of the type in `?keeperTypeId=`, or the sample. */
export function KeeperTypeBoardPage() {
  const [query] = useSearchParams()
  const idOrSlug = query.get('keeperTypeId') || demoIds['keeper-type']
  return idOrSlug === demoIds['keeper-type'] ? <SampleBoard /> : <TypeBoardById key={idOrSlug} idOrSlug={idOrSlug} />
}

function TypeBoardById({ idOrSlug }: { idOrSlug: string }) {
  const { data, error, isFetching, refetch } = useQuery(keeperTypesQuery)
  const type = data?.find(({ id, slug }) => id === idOrSlug || slug === idOrSlug)
  useCrumb(type?.name)
  if (type) return <TypeBoard key={type.id} type={type} />
  if (data) {
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
  if (error) return <BoardError reason={error} onRetry={() => refetch()} retrying={isFetching} />
  return <BoardSkeleton />
}

function TypeBoard({ type }: { type: KeeperType }) {
  const templates = useQuery(templatesOfTypeQuery(type.id))
  const agents = useQuery({
    queryKey: [...keeperTypesKey, 'agents', type.id],
    queryFn: ({ signal }) => call(keeperTypes.agents, { params: { id: type.id }, signal }),
  })
  const board = useQuery(entityBoardQuery('keeper-type', type.id))
  if (!templates.data || !agents.data || !board.data) {
    const failed = [templates, agents, board].find(({ isError }) => isError)
    if (!failed) return <BoardSkeleton />
    return <BoardError reason={failed.error} onRetry={() => failed.refetch()} retrying={failed.isFetching} />
  }
  if (isDeleted(board)) return <DeletedBoard entityType="keeper-type" entityId={type.id} />
  return (
    <BoardEditorProvider key={board.data.id} board={board.data}>
      <BoardSessionProvider>
        <KeeperTypeBoard type={type} templates={templates.data} agents={agents.data} />
      </BoardSessionProvider>
    </BoardEditorProvider>
  )
}

function SampleBoard() {
  const { data: board } = useQuery(entityBoardQuery('keeper-type', demoIds['keeper-type']))
  if (!board) return <BoardSkeleton />
  return (
    <BoardEditorProvider board={board}>
      <KeeperTypeBoard type={sampleKeeperType} templates={sampleTemplates} agents={sampleAgents.slice(0, 1)} sample />
    </BoardEditorProvider>
  )
}
