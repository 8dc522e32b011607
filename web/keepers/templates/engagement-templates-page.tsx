import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { TemplatesOverview } from './templates-overview.tsx'

export function EngagementTemplatesPage() {
  return (
    <>
      <PageHeader title="Engagement Templates" subtitle="Questions a keeper can ask you, and where the answers go." />
      <TemplatesOverview />
    </>
  )
}
