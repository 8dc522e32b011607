import { DeleteAccountSection } from './delete-account-section.tsx'
import { ExportAccountSection } from './export-account-section.tsx'
import { PasswordForm } from './password-form.tsx'
import { PlatformSection } from './platform-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { StorageSection } from './storage-section.tsx'

export function ProfileTab() {
  return (
    <div className="max-w-[760px]">
      <h2 className="sr-only">Your account</h2>
      <ProfileForm />
      <PlatformSection />
      <PasswordForm />
      <SessionsSection />
      <StorageSection />
      <ExportAccountSection />
      <DeleteAccountSection />
    </div>
  )
}
