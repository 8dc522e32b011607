import { useQueryClient } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { focusFirstOf } from '#web/ui/next-focus.ts'
import { scrimClasses } from '#web/ui/overlay-classes.ts'
import { type Doers, paletteDeeds } from './palette-deeds.ts'
import { Group, Item } from './palette-item.tsx'
import { arrangeEntries, type Entry, type GroupName } from './rank-entries.ts'
import { recentPlaces } from './recent-places.ts'
import { usePaletteEntries } from './use-palette-entries.ts'
import { useViewMode } from './view-mode-provider.tsx'

type ShellDeeds = Pick<Doers, 'toggleSidebar' | 'openSystemInformation' | 'openShortcuts' | 'signOut'>

interface CommandPaletteProps {
  onOpenChange: (open: boolean) => void
  deeds: ShellDeeds
}

/** Loaded on first use, to keep cmdk out of the shell bundle. */
export function CommandPalette({ onOpenChange, deeds }: CommandPaletteProps) {
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
            if (!opener?.isConnected) focusFirstOf([])
            else if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
          }}
          className="fixed inset-x-4 top-[12dvh] z-50 mx-auto flex max-h-[70dvh] max-w-[600px] animate-scale flex-col overflow-hidden rounded-xl border border-border bg-popover text-popover-foreground shadow-e3 outline-hidden"
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <PaletteList deeds={deeds} close={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteList({ deeds, close }: { deeds: ShellDeeds; close: () => void }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const { setMode } = useViewMode()
  const { setModeChoice, applyTheme } = useTheme()
  const { data: keepers } = useKeepers()
  const inNewTab = useRef(false)
  const [typed, setTyped] = useState('')
  const [unfolded, setUnfolded] = useState<ReadonlySet<GroupName>>(new Set())
  const [recent] = useState(() => recentPlaces().filter((path) => path !== pathname))
  const known = usePaletteEntries(typed, recent)
  const hasKeeper = keepers?.length !== 0
  const { themes } = known
  const done = paletteDeeds({ ...deeds, queries, themes, navigate, setMode, setModeChoice, applyTheme, hasKeeper })
  const groups = arrangeEntries([...known.entries, ...done], typed, { unfolded, recent })
  const count = groups.reduce((sum, { shown, hidden }) => sum + shown.length + hidden.length, 0)

  function keyDown(event: KeyboardEvent) {
    inNewTab.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  }
  function select({ to, ownTab, run }: Entry) {
    const isNewTab = (inNewTab.current || ownTab) && to !== undefined
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
      onKeyDownCapture={keyDown}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-hairline px-4">
        <Search aria-hidden size={16} className="shrink-0 text-muted-foreground" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={(text) => {
            setTyped(text)
            setUnfolded(new Set())
          }}
          placeholder="Search or jump to"
          className="h-12 min-w-0 flex-1 bg-transparent text-lead outline-hidden"
        />
      </div>
      <Command.List label="Results" className="min-h-0 overflow-y-auto p-[5px] pb-2">
        {groups.map(({ name, shown, hidden: [next, ...rest] }) => (
          <Group key={name} heading={name}>
            {[
              ...shown.map(({ entry, marks }) => (
                <Item
                  key={entry.id}
                  value={entry.id}
                  title={entry.title}
                  marks={marks}
                  hint={entry.hint}
                  ownTab={entry.ownTab}
                  onSelect={() => select(entry)}
                />
              )),
              // Takes the value of the first hidden item, so that expanding selects that item.
              next && (
                <Item
                  key={next.entry.id}
                  quiet
                  value={next.entry.id}
                  title={`Show ${rest.length + 1} more`}
                  onSelect={() => setUnfolded(new Set([...unfolded, name]))}
                />
              ),
            ]}
          </Group>
        ))}
        {known.missing.length > 0 && (
          <Group heading={`Couldn’t be loaded: ${known.missing.join(', ')}`}>
            <Item quiet value="again" title="Try again" onSelect={known.again} />
          </Group>
        )}
      </Command.List>
      {count === 0 && (
        <p className="px-3 pt-5 pb-8 text-center text-ui text-muted-foreground">
          {known.loading ? 'Searching...' : 'Nothing matches these words.'}
        </p>
      )}
      {known.kept && (
        <p className="border-t border-hairline px-4 py-2 text-small text-muted-foreground">
          The server cannot be reached. Only keeper entries already opened in this browser are searched.
        </p>
      )}
      <p role="status" className="sr-only">
        {typed.trim() === '' || known.loading ? '' : countWords(count)}
      </p>
    </Command>
  )
}

function countWords(count: number): string {
  if (count === 0) return 'No results'
  return count === 1 ? '1 result' : `${count} results`
}
