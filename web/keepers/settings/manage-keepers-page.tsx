import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { useKeepers } from '../keeper-queries.ts'
import { useDeleteKeeper } from '../shelf/use-delete-keeper.tsx'
import { KeeperRegistry } from './keeper-registry.tsx'
import { KeeperTab } from './keeper-tab.tsx'

const tabs = ['registry', 'keeper'] as const
type TabId = (typeof tabs)[number]

/** `?tab=keeper` opens a new keeper, `&keeperId=` an existing one. */
export function ManageKeepersPage() {
  const [params, setParams] = useSearchParams()
  const [notice, setNotice] = useState<{ text: string; at: number }>()
  const keepersQuery = useKeepers()
  const keeperId = params.get('keeperId')
  const tab = tabs.find((id) => id === params.get('tab')) ?? 'registry'
  const removal = useDeleteKeeper((keeper) => {
    if (keeper.id === keeperId) openTab('registry')
  })

  function openTab(id: TabId, keeper: string | null = null) {
    setParams(() => {
      const next = new URLSearchParams()
      if (id === 'keeper') next.set('tab', id)
      if (keeper) next.set('keeperId', keeper)
      return next
    })
  }

  return (
    <>
      <PageHeader
        title="Manage Keepers"
        actions={
          <>
            <LinkButton to="/keeper/bin" variant="plain" icon={<Trash2 aria-hidden size={15} />}>
              Recently deleted
            </LinkButton>
            <Button
              variant="primary"
              aria-keyshortcuts="N"
              onClick={() => openTab('keeper')}
              icon={<Plus aria-hidden size={15} />}
            >
              New Keeper
            </Button>
          </>
        }
      />
      <Tabs
        label="Manage Keepers"
        tabs={[
          { id: 'registry', label: 'Registry', ...(keepersQuery.data && { count: keepersQuery.data.length }) },
          { id: 'keeper', label: 'Keeper' },
        ]}
        value={tab}
        onValueChange={(id) => openTab(id, keeperId)}
      >
        {tab === 'registry' ? (
          <>
            {notice && (
              <Banner key={notice.at} tone="success" className="mb-5" onDismiss={() => setNotice(undefined)}>
                {notice.text}
              </Banner>
            )}
            <KeeperRegistry
              keepersQuery={keepersQuery}
              onEdit={(keeper) => openTab('keeper', keeper.id)}
              onDelete={removal.confirmDelete}
            />
          </>
        ) : (
          <KeeperTab
            keepersQuery={keepersQuery}
            keeperId={keeperId}
            onDelete={removal.confirmDelete}
            onCreated={(keeper) => {
              setNotice({ text: `Created ${keeper.title}.`, at: Date.now() })
              openTab('registry')
            }}
            onBack={() => openTab('registry')}
          />
        )}
      </Tabs>
      {removal.dialog}
    </>
  )
}
