import {
  Bookmark,
  BookOpenText,
  Feather,
  History,
  Landmark,
  Mic,
  NotebookPen,
  NotebookTabs,
  Route,
  Settings2,
} from 'lucide-react'
import { Link } from 'react-router'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { metadataAddress, templatesAddress } from '../keeper-addresses.ts'

export function RoomsNav({ keeper, counts }: { keeper: Keeper; counts: Dashboard['counts'] | undefined }) {
  const room = (page: string) => `/keeper/${encodeURIComponent(keeper.id)}/${page}`
  const rooms = [
    { to: room('moments'), label: 'Moments', Icon: Feather, count: counts?.moments },
    { to: room('journeys'), label: 'Journeys', Icon: Route, count: counts?.journeys },
    { to: room('reflection-journal'), label: 'Reflection Journal', Icon: BookOpenText, count: counts?.reflections },
    { to: room('memory-cards'), label: 'Memory Cards', Icon: Bookmark, count: counts?.cards },
    { to: room('voice-panel'), label: 'Voice Panel', Icon: Mic, count: counts?.voice },
    { to: room('echo-writer'), label: 'Echo Writer', Icon: History, count: counts?.echoesReady, asks: true },
    { to: room('identity-logbook'), label: 'Identity Logbook', Icon: NotebookPen, count: counts?.logbook },
    { to: room('memory'), label: 'Memory', Icon: Landmark, count: undefined },
    { to: templatesAddress(keeper.id), label: 'Templates', Icon: NotebookTabs, count: undefined },
    { to: metadataAddress(keeper.id), label: 'Settings', Icon: Settings2, count: undefined },
  ]
  return (
    <nav
      aria-label="Pages of this keeper"
      data-chrome
      className="-mx-2 mb-5 flex flex-wrap gap-x-1 phone:-mx-4 phone:flex-nowrap phone:overflow-x-auto phone:px-2"
    >
      {rooms.map(({ to, label, Icon, count, asks }) => (
        <Link
          key={label}
          to={to}
          className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 text-ui text-muted-foreground hover:bg-muted hover:text-foreground"
        >
          <Icon aria-hidden size={15} />
          {label}
          {count !== undefined && count > 0 && (
            <span
              className={
                asks
                  ? 'rounded-full bg-ribbon-soft px-1.5 text-small font-semibold text-ribbon-text tabular-nums'
                  : 'text-small tabular-nums'
              }
            >
              {asks ? `${count} ready` : count}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
