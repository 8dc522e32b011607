import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { type CardActionsProps, CatalogCards } from './catalog-cards.tsx'
import type { Catalog } from './catalog-query.ts'
import type { CatalogActions } from './use-catalog.tsx'

interface CatalogEntry {
  id: string
  name: string
  mine: boolean
}

export interface EntryFormProps<Entry> {
  /** `null` for a new entry. */
  entry: Entry | null
  onSaved: (saved: Entry) => void
  onCancel: () => void
}

interface CatalogPageProps<Entry> {
  title: string
  subtitle: string
  createdHint: string
  query: UseQueryResult<Catalog<Entry>>
  catalog: CatalogActions<Entry>
  renderForm: (props: EntryFormProps<Entry>) => ReactNode
  /** `actions` are absent while the server can't be reached. */
  renderCard: (entry: Entry, actions: CardActionsProps | undefined) => ReactNode
}

/** `?tab=create` opens the form for a new entry, `?edit=` for an existing one. */
export function CatalogPage<Entry extends CatalogEntry>(props: CatalogPageProps<Entry>) {
  const { title, subtitle, createdHint, query, catalog, renderForm, renderCard } = props
  const { data } = query
  const [params, setParams] = useSearchParams()
  const editing = data?.entries.find(({ id, mine }) => mine && id === params.get('edit')) ?? null
  const tab = params.get('tab') === 'create' || editing ? 'create' : 'registry'

  return (
    <>
      <PageHeader title={title} subtitle={subtitle} />
      <Tabs
        label={title}
        tabs={[
          { id: 'registry', label: 'Registry', ...(data && { count: data.entries.length }) },
          { id: 'create', label: editing ? 'Edit' : 'Create' },
        ]}
        value={tab}
        onValueChange={(id) => setParams(id === 'create' ? { tab: 'create' } : {})}
      >
        {tab === 'create' ? (
          renderForm({
            entry: editing,
            onCancel: () => setParams({}),
            onSaved(saved) {
              catalog.showNotice(editing ? `Saved ${saved.name}.` : `Created ${saved.name}. ${createdHint}`)
              setParams({})
            },
          })
        ) : (
          <>
            {catalog.notices}
            {data?.source === 'static' && (
              <Banner tone="warning" className="mb-4">
                The server can’t be reached. These are examples, and the counts aren’t yours.
              </Banner>
            )}
            <CatalogCards label={title} query={query}>
              {data?.entries.map((entry) => (
                <li key={entry.id} className="min-w-0">
                  {renderCard(
                    entry,
                    data.source === 'server'
                      ? {
                          name: entry.name,
                          isOwner: entry.mine,
                          onEdit: () => setParams({ edit: entry.id }),
                          onDuplicate: () => catalog.duplicate(entry),
                          onDelete: () => catalog.confirmDelete(entry),
                        }
                      : undefined,
                  )}
                </li>
              ))}
            </CatalogCards>
          </>
        )}
      </Tabs>
      {catalog.dialog}
    </>
  )
}
