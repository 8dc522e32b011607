import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { newKeeperPath } from './keeper-addresses.ts'
import { NoKeeperError } from './use-keeper.ts'

interface KeeperMissingProps {
  /** Absent when the page has its own heading. */
  pageName?: string
  error: unknown
}

/** Shown when the keeper doesn't exist, isn't accessible, or the person has none yet. */
export function KeeperMissing({ pageName, error }: KeeperMissingProps) {
  return (
    <>
      {pageName && <PageHeader title={pageName} />}
      {error instanceof NoKeeperError ? (
        <EmptyPanel
          drawing="leaf"
          title="You have no keeper yet"
          action={
            <LinkButton to={newKeeperPath} variant="primary">
              Create your first keeper
            </LinkButton>
          }
        >
          A keeper holds one part of your life: a house, a year, a piece of work. This page is about your first one.
        </EmptyPanel>
      ) : (
        <EmptyPanel
          drawing="drawer"
          title="Keeper not found"
          action={<LinkButton to="/keeper">Return to Keepers</LinkButton>}
        >
          The requested keeper could not be found or you don't have permission to view it.
        </EmptyPanel>
      )}
    </>
  )
}
