import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'

export function ProfileTab() {
  return (
    <div className="max-w-[760px]">
      <ProfileForm />
      <PasswordForm />
    </div>
  )
}
