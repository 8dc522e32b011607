import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { ApiError, call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { useAuth } from './auth-provider.tsx'
import { getAccountFieldErrors } from './check-account.ts'

export function ProfileForm() {
  const { user, updateUser } = useAuth()
  const [typedName, setTypedName] = useState<string>()
  const name = typedName ?? user?.name ?? ''
  const save = useMutation({
    mutationFn: (newName: string) =>
      call(accounts.updateProfile, { params: { id: user?.id ?? '' }, body: { name: newName } }),
    onSuccess: (saved, newName) => {
      updateUser(saved)
      // Keep text typed while saving.
      setTypedName((now) => (now?.trim() === newName ? undefined : now))
    },
  })
  const nameError = getAccountFieldErrors(save.error).name
  const isBlank = name.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isBlank && !save.isPending) save.mutate(name.trim())
  }

  return (
    <form onSubmit={submit} noValidate>
      {save.isSuccess && (
        <Banner tone="success" className="mb-5" key={save.submittedAt} onDismiss={save.reset}>
          Profile updated successfully!
        </Banner>
      )}
      {save.isError && !nameError && (
        <Banner tone="error" className="mb-5" onDismiss={save.reset}>
          <ProfileFailure reason={save.error} />
        </Banner>
      )}
      <Section title="Profile" help="The name others see.">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={120}
          value={name}
          onChange={(event) => setTypedName(event.currentTarget.value)}
          error={nameError}
          help={isBlank ? 'Enter a name to save.' : undefined}
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          readOnly
          value={user?.email ?? ''}
          help="You sign in with this."
        />
        <div>
          <Button type="submit" variant="primary" disabled={isBlank || save.isPending} aria-busy={save.isPending}>
            {save.isPending ? 'Saving...' : 'Save'}
          </Button>
        </div>
      </Section>
    </form>
  )
}

function ProfileFailure({ reason }: { reason: unknown }) {
  const { text, detail } = toProfileFailure(reason)
  return (
    <>
      <span className={detail ? 'font-semibold' : undefined}>{text}</span>
      {detail && <span className="block">{detail}</span>}
    </>
  )
}

export function toProfileFailure(reason: unknown): { text: string; detail?: string | undefined } {
  if (reason instanceof ApiError) return { text: 'Failed to update profile', detail: reason.serverMessage }
  return { text: 'Failed to update profile. Please try again.' }
}
