import { CodesSection } from './codes-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'

/** Loaded with the profile page only. */
export function SecuritySection() {
  return (
    <>
      <PasskeysSection />
      <CodesSection />
    </>
  )
}
