import { useQueryClient } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { SearchMark } from '#contract/search/search-excerpt.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { scrimClasses } from '#web/ui/overlays/overlay-classes.ts'
import { focusFirstCandidate } from '#web/ui/overlays/use-dialog-focus.ts'
import { MarkedText } from '#web/ui/text/marked-text.tsx'
import { useViewMode } from '../page/view-mode-provider.tsx'
import { createPaletteActions, type PaletteContext } from './palette-actions.ts'
import { arrangeEntries, type GroupName, type PaletteEntry } from './rank-entries.ts'
import { getPageAddress, getRecentPages } from './recent-pages.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

type ShellActions = Pick<PaletteContext, 'toggleSidebar' | 'openSystemInformation' | 'openShortcuts' | 'signOut'>

interface CommandPaletteProps {
  onOpenChange: (open: boolean) => void
  actions: ShellActions
}

/** Loaded on first use, to keep cmdk out of the shell bundle. */
export function CommandPalette({ onOpenChange, actions }: CommandPaletteProps) {
  // Captured before the input takes focus.
  const [opener] = useState(() => document.activeElement)
  return (
    <Dialog.Root open onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimClasses} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!opener?.isConnected) focusFirstCandidate([])
            else if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
          }}
          className="fixed inset-x-4 top-[12dvh] z-50 mx-auto flex max-h-[70dvh] max-w-[600px] animate-scale flex-col overflow-hidden rounded-xl border border-border bg-popover text-popover-foreground shadow-e3 outline-hidden"
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <PaletteList actions={actions} close={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteList({ actions, close }: { actions: ShellActions; close: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const address = getPageAddress(useLocation())
  const { setMode } = useViewMode()
  const { setModeChoice, applyTheme } = useTheme()
  const { data: keepers } = useKeepers()
  const inNewTab = useRef(false)
  const [input, setInput] = useState('')
  const [expandedGroups, setExpandedGroups] = useState<ReadonlySet<GroupName>>(new Set())
  const [recentPaths] = useState(() => getRecentPages().filter((recentAddress) => recentAddress !== address))
  const palette = usePaletteEntries(input, recentPaths)
  const hasKeeper = keepers?.length !== 0
  const { themes } = palette
  const actionEntries = createPaletteActions({
    ...actions,
    queryClient,
    themes,
    navigate,
    setMode,
    setModeChoice,
    applyTheme,
    hasKeeper,
  })
  const groups = arrangeEntries([...palette.entries, ...actionEntries], input, {
    expanded: expandedGroups,
    recentPaths,
  })
  // The link to all results is not a result.
  const count = groups.reduce(
    (total, { name, visible, hidden }) => (name === 'Search' ? total : total + visible.length + hidden.length),
    0,
  )

  function handleKeyDown(event: KeyboardEvent) {
    inNewTab.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  }
  function handleSelect({ to, opensInNewTab: opensNewTab, run }: PaletteEntry) {
    const isNewTab = (inNewTab.current || opensNewTab) && to !== undefined
    if (isNewTab) window.open(to, '_blank', 'noopener')
    close()
    if (to !== undefined && !isNewTab) navigate(to)
    run?.()
  }

  return (
    <Command
      loop
      label="Search or jump to"
      shouldFilter={false}
      onKeyDownCapture={handleKeyDown}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-hairline px-4">
        <Search aria-hidden size={16} className="shrink-0 text-muted-foreground" />
        <Command.Input
          autoFocus
          value={input}
          onValueChange={(text) => {
            setInput(text)
            setExpandedGroups(new Set())
          }}
          placeholder="Search or jump to"
          className="h-12 min-w-0 flex-1 bg-transparent text-lead outline-hidden"
        />
      </div>
      {count === 0 && (
        <p className="px-3 py-5 text-center text-ui text-muted-foreground">
          {palette.loading ? 'Searching...' : 'Nothing matches these words.'}
        </p>
      )}
      <Command.List label="Results" className="min-h-0 overflow-y-auto p-[5px] pb-2">
        {groups.map(({ name, visible, hidden: [next, ...otherHidden] }) => (
          <PaletteGroup key={name} heading={name}>
            {[
              ...visible.map(({ entry, marks }) => (
                <Item
                  key={entry.id}
                  value={entry.id}
                  title={entry.title}
                  marks={marks}
                  hint={entry.hint}
                  opensNewTab={entry.opensInNewTab}
                  onSelect={() => handleSelect(entry)}
                />
              )),
              // Takes the value of the first hidden item, so that expanding selects that item.
              next && (
                <Item
                  key={next.entry.id}
                  quiet
                  value={next.entry.id}
                  title={`Show ${otherHidden.length + 1} more`}
                  onSelect={() => setExpandedGroups(new Set([...expandedGroups, name]))}
                />
              ),
            ]}
          </PaletteGroup>
        ))}
        {palette.failedLists.length > 0 && (
          <PaletteGroup heading={`Couldn’t be loaded: ${palette.failedLists.join(', ')}`}>
            <Item quiet value="again" title="Try again" onSelect={palette.retry} />
          </PaletteGroup>
        )}
      </Command.List>
      {palette.isFromCache && (
        <p className="border-t border-hairline px-4 py-2 text-small text-muted-foreground">
          The server can’t be reached. Only keeper entries already opened in this browser are searched.
        </p>
      )}
      <p role="status" className="sr-only">
        {input.trim() === '' || palette.loading ? '' : formatResultCount(count)}
      </p>
    </Command>
  )
}

function formatResultCount(count: number): string {
  if (count === 0) return 'No results'
  return count === 1 ? '1 result' : `${count} results`
}

function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  )
}

interface ItemProps {
  value: string
  title: string
  marks?: readonly SearchMark[]
  hint?: string | undefined
  opensNewTab?: boolean | undefined
  /** Not a result: expands a group or retries. */
  quiet?: boolean
  onSelect: () => void
}

function Item({ value, title, marks = [], hint, opensNewTab = false, quiet = false, onSelect }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-x-3 phone:flex-wrap phone:content-center rounded-sm px-2.5 py-1.5 text-ui data-[selected=true]:bg-accent data-[selected=true]:text-accent-foreground phone:min-h-11"
    >
      <span className={classNames('min-w-0 flex-1 truncate phone:basis-3/5', quiet && 'text-small')}>
        {/* Weight and underline, not color alone. */}
        <MarkedText
          text={title}
          marks={marks}
          className="bg-transparent font-semibold text-inherit underline decoration-1 underline-offset-2"
        />
        {opensNewTab && <span className="sr-only"> (opens in a new tab)</span>}
      </span>
      {hint && <span className="max-w-1/2 shrink-0 truncate text-small opacity-80 phone:max-w-full">{hint}</span>}
    </Command.Item>
  )
}
