import { useEffect, useRef, useState } from 'react'

/** The open form: `new`, an entry id, or none. Closing it returns focus to its `data-opens` button. */
export function useOpenForm(): [
  openForm: string | undefined,
  showForm: (target: string) => void,
  closeForm: () => void,
] {
  const [openForm, setOpenForm] = useState<string>()
  const previousForm = useRef<string>(undefined)
  useEffect(() => {
    if (openForm === undefined && previousForm.current !== undefined)
      document.querySelector<HTMLElement>(`[data-opens="${previousForm.current}"]`)?.focus()
    previousForm.current = openForm
  }, [openForm])
  return [openForm, setOpenForm, () => setOpenForm(undefined)]
}
