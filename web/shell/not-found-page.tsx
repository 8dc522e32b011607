import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyPanel
        drawing="path"
        title="No page has this address"
        action={
          <LinkButton to="/root" variant="primary">
            Root Dashboard
          </LinkButton>
        }
      >
        It may have been moved, or the address was cut short.
      </EmptyPanel>
    </>
  )
}
