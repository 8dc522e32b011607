import { type FormEvent, useState } from 'react'
import { getAccountFieldErrors, toAccountFailureText } from './check-account.ts'

export type SubmitValues = Record<string, string>

interface SubmitOptions {
  validate: (values: SubmitValues) => Record<string, string | undefined>
  send: (values: SubmitValues) => Promise<void>
}

/** Submits an uncontrolled form, so that text typed before hydration stays. */
export function useSubmit({ validate, send }: SubmitOptions) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (busy) return
    const values = getFormValues(form)
    const validationErrors = validate(values)
    setErrors(validationErrors)
    // The failure stays until the next response, so that the layout doesn't shift under the pointer.
    if (focusFirstInvalidField(form, validationErrors)) return setFailure(undefined)
    setBusy(true)
    try {
      await send(values)
      setFailure(undefined)
    } catch (reason) {
      const serverErrors = getAccountFieldErrors(reason)
      setErrors(serverErrors)
      // Field errors aren't repeated above the form.
      setFailure(focusFirstInvalidField(form, serverErrors) ? undefined : toAccountFailureText(reason))
    } finally {
      setBusy(false)
    }
  }

  function onInput(event: FormEvent<HTMLFormElement>) {
    const { name } = event.target as HTMLInputElement
    if (errors[name] === undefined) return
    setErrors({ ...errors, [name]: validate(getFormValues(event.currentTarget))[name] })
  }

  return { busy, failure, errors, form: { noValidate: true, method: 'post', onSubmit, onInput } as const }
}

function getFormValues(form: HTMLFormElement): SubmitValues {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

function focusFirstInvalidField(form: HTMLFormElement, errors: Record<string, string | undefined>): boolean {
  for (const [name, error] of Object.entries(errors)) {
    const field = error && form.elements.namedItem(name)
    if (!(field instanceof HTMLElement)) continue
    field.focus()
    return true
  }
  return false
}
