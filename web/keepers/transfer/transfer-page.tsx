import { ArrowLeft } from 'lucide-react'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { ExportSection } from './export-section.tsx'
import { ImportSection } from './import-section.tsx'

export function TransferPage() {
  return (
    <>
      <PageHeader
        title="Export and import"
        subtitle="Everything you keep is yours to take with you, in files you can read without Keeper."
        actions={
          <LinkButton to="/keeper" variant="plain" icon={<ArrowLeft aria-hidden size={15} />}>
            Back to Keepers
          </LinkButton>
        }
      />
      <div className="grid grid-cols-2 items-start gap-x-10 gap-y-10 max-[1100px]:grid-cols-1">
        <ExportSection />
        <ImportSection />
      </div>
    </>
  )
}
