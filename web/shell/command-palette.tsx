import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { dashboardAddress, entryAddress } from '#web/keepers/keeper-addresses.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { typeNameOf } from '#web/keepers/shelf/shelf-rules.ts'
import { scrimClasses } from '#web/ui/overlay-classes.ts'
import { FoundInKeepers } from './found-in-keepers.tsx'
import { matchWords } from './match-words.ts'
import { Group, Item } from './palette-item.tsx'
import { placeAt, placesToGo } from './places.ts'
import { recentPlaces } from './recent-places.ts'

export interface Deed {
  title: string
  keys?: string
  run: () => void
}

interface CommandPaletteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  deeds: readonly Deed[]
}

/** Loaded when first opened: cmdk is not part of the shell's weight. */
export function CommandPalette({ open, onOpenChange, deeds }: CommandPaletteProps) {
  const opener = useRef<Element | null>(null)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimClasses} />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
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

function PaletteList({ deeds, close }: { deeds: readonly Deed[]; close: () => void }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const inNewTab = useRef(false)
  const { data } = useAgentList()
  const { data: keepers } = useKeepers()
  const [typed, setTyped] = useState('')
  const recent = recentPlaces().filter((path) => path !== pathname)

  function keyDown(event: KeyboardEvent) {
    inNewTab.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  }
  function go(to: string) {
    if (inNewTab.current) window.open(to, '_blank', 'noopener')
    else navigate(to)
    close()
  }

  return (
    <Command
      loop
      label="Search or jump to"
      filter={matchWords}
      onKeyDownCapture={keyDown}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-hairline px-4">
        <Search aria-hidden size={16} className="shrink-0 text-muted-foreground" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="Search or jump to"
          className="h-12 min-w-0 flex-1 bg-transparent text-lead outline-hidden"
        />
      </div>
      <Command.List className="min-h-0 overflow-y-auto p-[5px] pb-2">
        <Command.Empty className="px-3 py-8 text-center text-ui text-muted-foreground">
          Nothing here has that name.
        </Command.Empty>
        {recent.length > 0 && (
          <Group heading="Recent">
            {recent.map((path) => (
              <Item key={path} value={`recent ${path}`} onSelect={() => go(path)} hint={path}>
                {placeAt(path)?.title ?? path}
              </Item>
            ))}
          </Group>
        )}
        <Group heading="Go to">
          {placesToGo().map(({ to, title, hint }) => (
            <Item key={to} value={`${title} ${hint} ${to}`} onSelect={() => go(to)} hint={hint}>
              {title}
            </Item>
          ))}
        </Group>
        {keepers && keepers.length > 0 && (
          <Group heading="Keepers">
            {keepers.map((keeper) => (
              <Item
                key={keeper.id}
                value={`${keeper.title} keeper ${typeNameOf(keeper)} ${keeper.id}`}
                onSelect={() => go(dashboardAddress(keeper.id))}
                hint={typeNameOf(keeper)}
              >
                {keeper.title}
              </Item>
            ))}
          </Group>
        )}
        <FoundInKeepers typed={typed} onSelect={(found) => go(entryAddress(found))} />
        {data && data.agents.length > 0 && (
          <Group heading="Agents">
            {data.agents.map(({ id, name, slug, agent_class }) => (
              <Item
                key={id}
                value={`${name} ${slug} agent ${agent_class} ${id}`}
                onSelect={() => go(`/studio/agents/${slug}`)}
                hint={agent_class}
              >
                {name}
              </Item>
            ))}
            {data.agents
              .filter(({ agent_class }) => agent_class === 'Lead')
              .map(({ id, name, slug }) => (
                <Item
                  key={`chat ${id}`}
                  value={`Chat with ${name} ${slug} ${id}`}
                  onSelect={() => go(`/${slug}`)}
                  hint={`/${slug}`}
                >
                  Chat with {name}
                </Item>
              ))}
          </Group>
        )}
        <Group heading="Do">
          {deeds.map(({ title, keys, run }) => (
            <Item
              key={title}
              value={title}
              hint={keys}
              onSelect={() => {
                close()
                run()
              }}
            >
              {title}
            </Item>
          ))}
        </Group>
      </Command.List>
    </Command>
  )
}
