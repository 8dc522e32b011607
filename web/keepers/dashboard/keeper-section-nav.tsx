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
  countName?: keyof Dashboard['counts']
  /** Other pages of the section. */
  subPages?: readonly string[]
  getPath?: (keeperId: string) => string
}

const sections: readonly KeeperSection[] = [
  { page: 'dashboard', label: 'Dashboard' },
  { page: 'moments', label: 'Moments', countName: 'moments', subPages: ['book'] },
  { page: 'journeys', label: 'Journeys', countName: 'journeys' },
  { page: 'reflection-journal', label: 'Reflection Journal', countName: 'reflections' },
  { page: 'memory-cards', label: 'Memory Cards', countName: 'cards' },
  { page: 'voice-panel', label: 'Voice', countName: 'voice', subPages: ['voice'] },
  { page: 'echo-writer', label: 'Echo', countName: 'echoesReady' },
  { page: 'identity-logbook', label: 'Logbook', countName: 'logbook', subPages: ['logbook'] },
  { page: 'memory', label: 'Memory', subPages: ['memory-tools'] },
]

const menuSections: readonly KeeperSection[] = [
  { page: 'topics', label: 'Topics', countName: 'topics' },
  { page: 'sources', label: 'Sources', countName: 'sources' },
  { page: 'engagement-templates', label: 'Templates', subPages: ['engagement'], getPath: getTemplatesPath },
  { page: 'metadata', label: 'Settings', getPath: getMetadataPath },
]

/** Every entry sends an event that refetches the counts. */
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
  const { data: dashboard } = useQuery({
    ...dashboardQuery(keeperId, today),
    enabled: keeper !== undefined,
    staleTime: countsStaleMs,
  })
  const nav = useRef<HTMLElement>(null)
  useRootAttribute('data-section-nav', '')
  useActiveInView(nav, '[aria-current]', page)
  const expectedCounts = useMemo(() => toCounts(readStored(countsKey, id)), [id])
  const counts = dashboard?.counts
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
            {section.countName && <Count counts={counts} expectedCounts={expectedCounts} name={section.countName} />}
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
                {section.countName && (
                  <Count counts={counts} expectedCounts={expectedCounts} name={section.countName} />
                )}
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

/** Numbers below 99,500 have at most three characters. */
const countFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 0 })

interface CountProps {
  counts: Counts | undefined
  /** The last counts in this browser, which reserve the width while counts load. */
  expectedCounts: Partial<Counts> | undefined
  name: keyof Counts
}

function Count({ counts, expectedCounts, name }: CountProps) {
  const availableCounts = counts ?? expectedCounts
  const count = Number(availableCounts?.[name] ?? 0)
  const isReady = name === 'echoesReady'
  if (availableCounts && !(count > 0)) return null
  return (
    <span
      className={classNames(
        'text-small tabular-nums',
        !counts && 'invisible',
        !availableCounts && 'min-w-[2ch]',
        isReady && 'font-semibold text-ribbon-text',
      )}
    >
      {count > 0 && countFormat.format(count)}
      {count > 0 && isReady && <span className="sr-only"> ready</span>}
    </span>
  )
}
