import { ChevronDown, CircleHelp, FileUp, LayoutTemplate, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { BoardInList } from '#contract/boards/boards.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import type { BoardList } from '../board-queries.ts'
import { BoardRow, type OpenedBoard } from './board-row.tsx'
import type { BoardActions } from './use-board-actions.ts'

export type StudioDialog = 'help' | 'templates' | 'import' | 'trash'

export interface BoardsPanelProps {
  list: BoardList | undefined
  retry: { refetch: () => void; isRefetching: boolean }
  failure: { reason: Error; message: string } | undefined
  openId: string | null
  opened: OpenedBoard | null
  actions: BoardActions
  onOpen: (dialog: StudioDialog) => void
  onChosen?: () => void
}

const minBoardsForSearch = 10
const pageSize = 100

export function BoardsPanel({ list, retry, failure, openId, opened, actions, onOpen, onChosen }: BoardsPanelProps) {
  const [search, setSearch] = useState('')
  const [visibleCount, setVisibleCount] = useState(pageSize)
  const isOffline = list?.source === 'samples'
  const isMatch = createTextFilter(search)
  const matches = list?.boards.filter(({ name }) => isMatch(name)) ?? []
  return (
    <div className="flex h-full min-h-0 flex-col text-ui">
      <div className="flex items-center ps-4 pe-3 pt-3 pb-2">
        <h2 className="font-sans text-ui font-semibold tracking-normal">Boards</h2>
        <IconButton label="How to Use Board Studio" className="ms-auto" onClick={() => onOpen('help')}>
          <CircleHelp aria-hidden size={16} />
        </IconButton>
      </div>
      <div className="flex gap-1 px-3 pb-2.5">
        <Button
          size="small"
          className="min-w-0 flex-1"
          aria-keyshortcuts="N"
          busy={actions.busy === 'create'}
          disabled={isOffline}
          icon={<Plus aria-hidden size={14} />}
          onClick={() => void actions.create()}
        >
          New Board
        </Button>
        <Menu
          trigger={
            <IconButton label="More ways to create a board" outlined size="small">
              <ChevronDown aria-hidden size={14} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<LayoutTemplate aria-hidden size={15} />}
            disabled={isOffline}
            onSelect={() => onOpen('templates')}
          >
            From a template
          </MenuItem>
          <MenuItem icon={<FileUp aria-hidden size={15} />} disabled={isOffline} onSelect={() => onOpen('import')}>
            Import a board
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden size={15} />} disabled={isOffline} onSelect={() => onOpen('trash')}>
            Recently deleted
          </MenuItem>
        </Menu>
      </div>
      {list && list.boards.length > minBoardsForSearch && (
        <SearchField label="Search boards..." value={search} onValueChange={setSearch} className="px-3 pb-2" />
      )}
      <div className="min-h-0 flex-1 overflow-y-auto pb-3">
        {isOffline && (
          <Banner
            tone="warning"
            className="mx-3 mb-2"
            action={<RetryButton busy={retry.isRefetching} onClick={retry.refetch} />}
          >
            Offline, showing samples.
          </Banner>
        )}
        {failure && (
          <ErrorPanel
            reason={failure.reason}
            title="Failed to load boards"
            onRetry={retry.refetch}
            retrying={retry.isRefetching}
            className="mx-3 [&>svg]:hidden"
          >
            {failure.message}
          </ErrorPanel>
        )}
        {!list && !failure && (
          <SkeletonGroup label="Loading boards" className="flex flex-col gap-3 px-4 py-2">
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </SkeletonGroup>
        )}
        {list?.boards.length === 0 && (
          <p className="px-4 py-2 text-small text-muted-foreground">Your boards will be listed here.</p>
        )}
        {list && list.boards.length > 0 && matches.length === 0 && (
          <p role="status" className="px-4 py-2 text-small text-muted-foreground">
            No boards match.
          </p>
        )}
        <ul aria-label="Your boards">
          {matches.slice(0, visibleCount).map((board: BoardInList) => (
            <BoardRow
              key={board.id}
              board={board}
              opened={board.id === openId ? opened : null}
              isOpen={board.id === openId}
              actions={actions}
              {...(onChosen && { onChosen })}
            />
          ))}
        </ul>
        {matches.length > visibleCount && (
          <Button
            size="small"
            variant="plain"
            className="mx-3 mt-1"
            onClick={() => setVisibleCount(visibleCount + pageSize)}
          >
            Show more
          </Button>
        )}
      </div>
    </div>
  )
}
