import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronDown } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { readStored, storeByKey } from '#web/offline/stored-by-key.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useActiveInView } from '#web/ui/hooks/use-active-in-view.ts'
import { useRootAttribute } from '#web/ui/hooks/use-root-attribute.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { getMetadataPath, getTemplatesPath } from '../keeper-addresses.ts'
import { useToday } from '../moments/use-today.ts'
import { dashboardQuery } from './dashboard-query.ts'

interface KeeperSection {
  /** The last segment of its address. */
  page: string
  label: string
  count?: keyof Dashboard['counts']
  /** Other pages of the section. */
  subPages?: readonly string[]
  getPath?: (keeperId: string) => string
}

const sections: readonly KeeperSection[] = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'moments', label: 'Moments', count: 'moments', subPages: ['book'] },
  { page: 'journeys', label: 'Journeys', count: 'journeys' },
  { page: 'reflection-journal', label: 'Reflection Journal', count: 'reflections' },
  { page: 'memory-cards', label: 'Memory Cards', count: 'cards' },
  { page: 'voice-panel', label: 'Voice', count: 'voice', subPages: ['voice'] },
  { page: 'echo-writer', label: 'Echo', count: 'echoesReady' },
  { page: 'identity-logbook', label: 'Logbook', count: 'logbook', subPages: ['logbook'] },
  { page: 'memory', label: 'Memory', subPages: ['memory-tools'] },
]

const menuSections: readonly KeeperSection[] = [
  { page: 'topics', label: 'Topics', count: 'topics' },
  { page: 'sources', label: 'Sources', count: 'sources' },
  { page: 'engagement-templates', label: 'Templates', subPages: ['engagement'], getPath: getTemplatesPath },
  { page: 'metadata', label: 'Settings', getPath: getMetadataPath },
]

/** Counts change with every entry, whose event refetches them. */
const countsStaleMs = 60_000

interface KeeperSectionNavProps {
  /** As in the address: an id or an alias. */
  id: string
  keeper: Keeper | undefined
}

/** The line of sections on every page of a keeper. */
export function KeeperSectionNav({ id, keeper }: KeeperSectionNavProps) {
  const keeperId = keeper?.id ?? id
  const { pathname } = useLocation()
  const page = pathname.split('/').at(-1) ?? ''
  const today = useToday()
  const { data } = useQuery({
    ...dashboardQuery(keeperId, today),
    enabled: keeper !== undefined,
    staleTime: countsStaleMs,
  })
  const nav = useRef<HTMLElement>(null)
  useRootAttribute('data-section-nav', '')
  useActiveInView(nav, '[aria-current]', page)
  const expectedCounts = useMemo(() => toCounts(readStored(countsKey, id)), [id])
  const counts = data?.counts
  useEffect(() => {
    if (counts) storeByKey(countsKey, id, counts)
  }, [id, counts])

  const isActive = (section: KeeperSection) => section.page === page || section.subPages?.includes(page)
  const getPath = (section: KeeperSection) =>
    section.getPath?.(keeperId) ?? `/keeper/${encodeURIComponent(keeperId)}/${section.page}`
  return (
    <div
      data-chrome
      className="sticky top-(--header-height) z-20 -mx-7 -mt-7 mb-6 border-b border-border bg-background phone:-mx-4 phone:-mt-5 phone:mb-5"
    >
      <nav
        ref={nav}
        aria-label="Pages of this keeper"
        className="flex h-9 gap-x-5.5 overflow-x-auto mask-x-from-[calc(100%-1rem)] px-7 text-ui whitespace-nowrap [scrollbar-width:none] phone:h-10 phone:px-4"
      >
        <Link to="/keeper" className={classNames(itemClasses, 'phone:-mx-3 phone:w-10 phone:justify-center')}>
          <ArrowLeft aria-hidden size={14} className="shrink-0 rtl:-scale-x-100" />
          <span className="max-[1320px]:sr-only">Back to Keepers</span>
        </Link>
        {[...sections, ...menuSections.filter(isActive)].map((section) => (
          <Link
            key={section.page}
            to={getPath(section)}
            aria-current={isActive(section) ? 'page' : undefined}
            className={classNames(itemClasses, isActive(section) && activeClasses)}
          >
            {section.label}
            {section.count && <Count counts={counts} expected={expectedCounts} name={section.count} />}
          </Link>
        ))}
        <Menu
          trigger={
            <button type="button" className={itemClasses}>
              More
              <ChevronDown aria-hidden size={13} />
            </button>
          }
        >
          {menuSections.map((section) => (
            <MenuItem key={section.page} asChild>
              <Link to={getPath(section)}>
                <span className="flex-1">{section.label}</span>
                {section.count && <Count counts={counts} expected={expectedCounts} name={section.count} />}
              </Link>
            </MenuItem>
          ))}
        </Menu>
      </nav>
    </div>
  )
}

const itemClasses =
  'relative flex shrink-0 items-center gap-1.25 font-label text-muted-foreground transition-colors duration-120 hover:text-foreground focus-visible:-outline-offset-2'
const activeClasses = 'text-foreground after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-foreground'

const countsKey = 'keeper-section-counts'

type Counts = Dashboard['counts']

const toCounts = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Partial<Counts>) : undefined

/** Below 99,500 at most three characters. */
const countFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 0 })

interface CountProps {
  counts: Counts | undefined
  /** The last ones in this browser reserve the width of those that load. */
  expected: Partial<Counts> | undefined
  name: keyof Counts
}

function Count({ counts, expected, name }: CountProps) {
  const count = Number((counts ?? expected)?.[name] ?? 0)
  const isReady = name === 'echoesReady'
  if ((counts ?? expected) && !(count > 0)) return null
  return (
    <span
      className={classNames(
        'text-small tabular-nums',
        !counts && 'invisible',
        !counts && !expected && 'min-w-[2ch]',
        isReady && 'font-semibold text-ribbon-text',
      )}
    >
      {count > 0 && countFormat.format(count)}
      {count > 0 && isReady && <span className="sr-only"> ready</span>}
    </span>
  )
}
