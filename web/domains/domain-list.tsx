import { Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type Domain, getDisplayRole } from '#contract/domains/domains.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { getRoleName } from '#web/ui/text/domain-role-texts.ts'
import { CustomDomainBadge } from './custom-domain/custom-domain-badge.tsx'

interface DomainListProps {
  list: readonly Domain[]
  personId: string
  chosenId: string | undefined
  search: string
  onSearchChange: (search: string) => void
  onChoose: (id: string) => void
  onCreate: () => void
}

export function DomainList({ list, personId, chosenId, search, onSearchChange, onChoose, onCreate }: DomainListProps) {
  const matches = filterDomains(list, search)
  const listRef = useRef<HTMLUListElement>(null)
  // Scrolls the chosen domain into view within the list, without scrolling the page.
  useEffect(() => {
    const listElement = listRef.current
    const row = chosenId && listElement?.querySelector<HTMLElement>('[aria-current]')
    if (!listElement || !row) return
    const [listBounds, rowBounds] = [listElement.getBoundingClientRect(), row.getBoundingClientRect()]
    if (rowBounds.bottom > listBounds.bottom) listElement.scrollTop += rowBounds.bottom - listBounds.bottom
    else if (rowBounds.top < listBounds.top) listElement.scrollTop -= listBounds.top - rowBounds.top
  }, [chosenId])
  return (
    <div className="flex min-h-0 flex-col border-e border-border bg-background phone:border-e-0 phone:border-b">
      <div className="flex items-center gap-2 border-b border-hairline p-3">
        <SearchField
          label="Search domains"
          value={search}
          onValueChange={onSearchChange}
          className="min-w-0 flex-1"
          autoComplete="off"
        />
        <IconButton label="New domain" outlined onClick={onCreate}>
          <Plus aria-hidden size={16} />
        </IconButton>
      </div>
      {matches.length === 0 ? (
        <EmptyPanel
          title={list.length === 0 ? 'No domains found' : 'No domains match your search'}
          className="m-3 border-none"
          action={
            list.length === 0 ? (
              <Button size="small" onClick={onCreate}>
                New domain
              </Button>
            ) : (
              <Button size="small" onClick={() => onSearchChange('')}>
                Clear
              </Button>
            )
          }
        >
          {list.length === 0
            ? 'A domain is a place for keepers and the people you share them with.'
            : 'Search covers names, slugs and descriptions.'}
        </EmptyPanel>
      ) : (
        <ul ref={listRef} className="min-h-0 flex-1 overflow-y-auto phone:max-h-[252px]" aria-label="Domains">
          {matches.map((domain) => (
            <li key={domain.id} className="border-b border-hairline last:border-0">
              <button
                type="button"
                aria-current={domain.id === chosenId || undefined}
                onClick={() => onChoose(domain.id)}
                className="block w-full border-s-[3px] border-transparent px-3 py-2.5 text-start transition-colors duration-120 hover:bg-fill-hover focus-visible:-outline-offset-2 aria-current:border-ribbon aria-current:bg-card"
              >
                <span className="flex flex-wrap items-center gap-2">
                  <span className="min-w-0 truncate font-semibold">{domain.name}</span>
                  {domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
                  {domain.agreed === false && <Badge tone="info">Not joined yet</Badge>}
                  <span className="ms-auto empty:hidden">
                    <CustomDomainBadge domain={domain} />
                  </span>
                </span>
                <span className="block truncate text-small text-muted-foreground">
                  <span className="font-mono">{domain.slug}</span>, {getRoleName(getDisplayRole(domain, personId))}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function filterDomains(list: readonly Domain[], search: string): Domain[] {
  const isMatch = createTextFilter(search)
  return list.filter(({ name, slug, description }) => isMatch(name, slug, description))
}
