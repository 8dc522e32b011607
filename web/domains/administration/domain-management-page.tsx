import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { domains, type ManagedDomain } from '#contract/domains/domains.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { ApiError, call } from '#web/api/api.ts'
import { dedupeById } from '#web/api/api-pages.ts'
import { domainsKey } from '#web/queries/use-my-domains.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { focusFirstField } from '#web/ui/fields/field.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { ListFoot, useRowPages } from '#web/ui/panels/list-foot.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { TableSkeleton } from '#web/ui/panels/table-skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { CustomDomainBadge } from '../custom-domain/custom-domain-badge.tsx'
import { DomainForm } from '../domain-form.tsx'

const serverPageSize = 1000

const useManagedDomains = (search: string, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...domainsKey, 'managed', search],
    queryFn: ({ pageParam, signal }) =>
      call(domains.all, { query: { ...(search && { search }), ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < serverPageSize ? null : page.at(-1)?.id),
    placeholderData: keepPreviousData,
    enabled,
  })

export function DomainManagementPage() {
  const { access, accessError, refetchAccess } = useAuth()
  const isPermitted = access?.permissions.includes('manage_domains')
  const [searchText, setSearchText] = useState('')
  const search = useDebouncedText(searchText.trim())
  const [editTarget, setEditTarget] = useState<ManagedDomain | 'new'>()
  const editedDomain = editTarget === 'new' ? undefined : editTarget
  const { showNotice, noticeBanner } = useNotice('mb-4')
  const list = useManagedDomains(search, isPermitted === true)
  const isForbidden = list.error instanceof ApiError && list.error.status === 403

  const matches = dedupeById(list.data?.pages.flat() ?? [])
  const rowPages = useRowPages(matches, list)

  if (isPermitted === false || isForbidden) return <DomainsNotPermitted />
  const failure = accessError ?? list.error
  return (
    <>
      <Header onCreate={() => setEditTarget('new')} />
      {noticeBanner}
      <SearchField
        label="Search domains"
        value={searchText}
        onValueChange={setSearchText}
        autoComplete="off"
        maxLength={200}
        className="mb-4 w-80 phone:w-full"
      />
      {failure && (
        <ErrorPanel
          className="mb-4"
          title="Failed to load domains"
          onRetry={accessError ? refetchAccess : () => list.refetch()}
          retrying={list.isFetching}
          reason={failure}
        >
          {failure.message}
        </ErrorPanel>
      )}
      {!failure && list.isPending && (
        <Card padded={false}>
          <TableSkeleton />
        </Card>
      )}
      {list.data && matches.length === 0 && (
        <EmptyPanel
          title={search === '' ? 'No domains found' : 'No domains match your search'}
          action={search !== '' && <Button onClick={() => setSearchText('')}>Clear</Button>}
        >
          {search === ''
            ? 'Everyone who registers gets one.'
            : 'Search covers names, slugs, descriptions, custom domains and owners.'}
        </EmptyPanel>
      )}
      {matches.length > 0 && (
        <Card padded={false} className="overflow-clip">
          <Table
            label="Domains"
            columns={columns}
            rows={rowPages.visibleRows}
            rowKey={({ id }) => id}
            rowActions={(domain) => (
              <IconButton label={`Edit ${domain.name}`} size="small" onClick={() => setEditTarget(domain)}>
                <Pencil aria-hidden size={14} />
              </IconButton>
            )}
            opensRows
          />
          <ListFoot list={rowPages.list}>
            {list.hasNextPage && 'First '}
            {pluralize(matches.length, 'domain')}
          </ListFoot>
        </Card>
      )}
      {editTarget && (
        <Dialog
          open
          onOpenChange={(open) => !open && setEditTarget(undefined)}
          onOpenAutoFocus={focusFirstField}
          title={editedDomain ? `Edit ${editedDomain.name}` : 'New domain'}
          description={
            editedDomain
              ? `Owned by ${editedDomain.ownerName ?? editedDomain.ownerEmail}. Only the owner can change its members and custom domain.`
              : 'You’ll own the domain. To hand it over to a member, transfer it in Domain Settings.'
          }
        >
          <DomainForm
            domain={editedDomain}
            onSaved={() => {
              setEditTarget(undefined)
              showNotice('success', 'Domain saved successfully')
            }}
            onCancel={() => setEditTarget(undefined)}
          />
        </Dialog>
      )}
    </>
  )
}

const columns: Column<ManagedDomain>[] = [
  {
    id: 'name',
    header: 'Domain',
    rowHeader: true,
    cell: ({ name, slug, description, ownerName, ownerEmail, memberCount }) => (
      <span className="block max-w-[26rem] min-w-0">
        <span dir="auto" className="block font-semibold wrap-break-word">
          {name}
        </span>
        <span className="block font-mono text-small wrap-anywhere text-muted-foreground">{slug}</span>
        {description && (
          <span className="block truncate text-small text-muted-foreground phone:hidden">{description}</span>
        )}
        <span className="hidden text-small wrap-anywhere text-muted-foreground phone:block">
          {ownerName ?? ownerEmail}, {pluralize(memberCount, 'member')}
        </span>
      </span>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    wideOnly: true,
    cell: ({ ownerName, ownerEmail }) => (
      <span className="block max-w-64">
        {ownerName && (
          <span dir="auto" className="block truncate">
            {ownerName}
          </span>
        )}
        <span className="block truncate text-small text-muted-foreground">{ownerEmail}</span>
      </span>
    ),
  },
  { id: 'members', header: 'Members', numeric: true, wideOnly: true, cell: ({ memberCount }) => memberCount },
  {
    id: 'custom',
    header: 'Custom domain',
    wideOnly: true,
    cell: (domain) =>
      domain.customDomain && (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-small wrap-anywhere">{domain.customDomain}</span>
          <CustomDomainBadge domain={domain} />
        </span>
      ),
  },
  {
    id: 'created',
    header: 'Created',
    className: 'whitespace-nowrap text-muted-foreground',
    wideOnly: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
]

function Header({ onCreate }: { onCreate?: () => void }) {
  return (
    <PageHeader
      title="Domain Management"
      subtitle="Every domain on this platform, with its owner and number of members."
      actions={
        onCreate && (
          <Button variant="primary" icon={<Plus aria-hidden size={15} />} onClick={onCreate}>
            New domain
          </Button>
        )
      }
    />
  )
}

function DomainsNotPermitted() {
  return (
    <>
      <Header />
      <EmptyPanel
        drawing="seal"
        title="Your account can’t manage domains"
        action={<LinkButton to="/root/domain">Domain Settings</LinkButton>}
      >
        You need the permission manage_domains. Ask your administrator for a role that has it.
      </EmptyPanel>
    </>
  )
}
