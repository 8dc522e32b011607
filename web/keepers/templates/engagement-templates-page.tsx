import { PageHeader } from '#web/ui/page-header.tsx'
import { TemplatesOverview } from './templates-overview.tsx'

export function EngagementTemplatesPage() {
  return (
    <>
      <PageHeader title="Engagement Templates" sub="What a keeper can ask you, and what becomes of the answers." />
      <TemplatesOverview />
    </>
  )
}
