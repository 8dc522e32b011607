import { PageHeader } from '#web/ui/page-header.tsx'
import { PersonalKeys } from './personal-keys.tsx'

export function PersonalKeysPage() {
  return (
    <>
      <PageHeader title="Your API Keys" />
      <h2 className="sr-only">Providers</h2>
      <PersonalKeys />
    </>
  )
}
