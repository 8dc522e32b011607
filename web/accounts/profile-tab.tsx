import { DeleteAccountSection } from './delete-account-section.tsx'
import { PasswordForm } from './password-form.tsx'
import { PlatformSection } from './platform-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { TakeEverythingSection } from './take-everything-section.tsx'

export function ProfileTab() {
  return (
    <div className="max-w-[760px]">
      <h2 className="sr-only">Your account</h2>
      <ProfileForm />
      <PlatformSection />
      <PasswordForm />
      <SessionsSection />
      <StorageSection />
      <TakeEverythingSection />
      <DeleteAccountSection />
    </div>
  )
}
