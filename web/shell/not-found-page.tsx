import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'

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
