import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyPanel
        drawing="path"
        title="There’s no page at this address"
        action={
          <LinkButton to="/root" variant="primary">
            Root Dashboard
          </LinkButton>
        }
      >
        The page may have moved, or the address is incomplete.
      </EmptyPanel>
    </>
  )
}
