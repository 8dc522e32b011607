import { type FormEvent, useState } from 'react'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { ApiError, call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getDomainErrorDetail } from '../domain-queries.ts'
import { isApexName } from './status-texts.ts'

interface CustomDomainFormProps {
  domain: Domain
  onAdded: () => Promise<void>
}

export function CustomDomainForm({ domain, onAdded }: CustomDomainFormProps) {
  const [typedName, setTypedName] = useState('')
  const [saving, setSaving] = useState(false)
  const [fieldError, setFieldError] = useState<string>()
  const [failure, setFailure] = useState<{ detail: string | undefined }>()
  const isEmpty = typedName.trim() === ''

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isEmpty || saving) return
    setSaving(true)
    setFailure(undefined)
    try {
      await call(domains.setCustomDomain, {
        params: { id: domain.id },
        body: { customDomain: typedName.trim() },
        ifMatch: domain.rev,
      })
      await onAdded()
    } catch (reason) {
      const problem = reason instanceof ApiError ? reason.fields?.customDomain : undefined
      setFieldError(problem)
      setFailure({ detail: problem ? undefined : getDomainErrorDetail(reason) })
    } finally {
      setSaving(false)
    }
  }

  return (
    <form onSubmit={submit} noValidate className="mt-3">
      {failure && (
        <Banner tone="error" className="mb-3" onDismiss={() => setFailure(undefined)}>
          <span className={failure.detail ? 'font-semibold' : undefined}>Failed to add custom domain</span>
          {failure.detail && <span className="block">{failure.detail}</span>}
        </Banner>
      )}
      <div className="flex items-start gap-2 phone:flex-col phone:items-stretch">
        <TextField
          label="Custom domain"
          labelHidden
          mono
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          placeholder="memories.example.com"
          value={typedName}
          onChange={(event) => {
            setTypedName(event.currentTarget.value)
            setFieldError(undefined)
          }}
          error={fieldError}
          help={
            isEmpty
              ? 'A web address you own. Visitors see only this domain’s public page.'
              : isApexName(typedName) && toApexWarning(typedName.trim())
          }
          className="min-w-0 flex-1"
        />
        <Button type="submit" variant="primary" disabled={isEmpty || saving} busy={saving} busyLabel="Adding...">
          Add Domain
        </Button>
      </div>
    </form>
  )
}

function toApexWarning(name: string): string {
  return `${name} is a top-level name. If a website is already there, its visitors will come here instead. To keep the website, use a subdomain such as keep.${name}.`
}
