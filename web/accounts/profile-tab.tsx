import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'

export function ProfileTab() {
  return (
    <div className="max-w-[760px]">
      <h2 className="sr-only">Your account</h2>
      <ProfileForm />
      <PasswordForm />
    </div>
  )
}
