import { useState } from 'react'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { DomainForm } from '#web/domains/domain-form.tsx'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EntityPicker, type EntityPickerProps } from './entity-picker.tsx'
import { FrameDetailList } from './frame-detail-list.tsx'
import { FrameQuery, FrameUnavailable } from './frame-query.tsx'

interface DomainSettingsProps {
  id: string
  onChooseAnother: (() => void) | undefined
}

export function DomainSettings({ id, onChooseAnother }: DomainSettingsProps) {
  const query = useMyDomains()
  return (
    <FrameQuery query={query} entityName="domain">
      {(domains) => {
        const domain = domains.find((candidate) => candidate.id === id)
        if (!domain) return <FrameUnavailable entityName="domain" onChooseAnother={onChooseAnother} />
        const canEdit = domain.permissions.some(({ role }) => canActInDomain(role, 'edit'))
        return canEdit ? <EditableDomain domain={domain} /> : <DomainDetailList domain={domain} />
      }}
    </FrameQuery>
  )
}

function EditableDomain({ domain }: { domain: Domain }) {
  // The key resets the form to the saved values.
  const [saveCount, setSaveCount] = useState(0)
  const [saved, setSaved] = useState(false)
  return (
    <>
      {saved && (
        <Banner tone="success" onDismiss={() => setSaved(false)}>
          Domain saved successfully
        </Banner>
      )}
      <DomainForm
        key={saveCount}
        domain={domain}
        onSaved={() => {
          setSaveCount((count) => count + 1)
          setSaved(true)
        }}
        onCancel={() => setSaveCount((count) => count + 1)}
      />
    </>
  )
}

function DomainDetailList({ domain: { name, slug, description } }: { domain: Domain }) {
  return (
    <>
      <FrameDetailList
        details={[
          ['Name', name],
          ['Slug', slug],
          ['Description', description],
        ]}
      />
      <p className="text-small text-muted-foreground">Only the domain’s owner and admins can change these settings.</p>
    </>
  )
}

export function DomainPicker(props: Pick<EntityPickerProps, 'title' | 'onChoose' | 'children'>) {
  const { data, error, refetch } = useMyDomains()
  return (
    <EntityPicker
      {...props}
      searchLabel="Search domains"
      choices={data?.map(({ id, name: label, slug: detail }) => ({ id, label, detail }))}
      problem={error}
      onRetry={refetch}
      empty="You’re not in a domain yet."
    />
  )
}
