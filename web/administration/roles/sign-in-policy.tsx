import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { signInPolicies } from '#contract/administration/sign-in-policy.ts'
import { call } from '#web/api/api.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { administrationKey, toAdminFailureText } from '../admin-queries.ts'

const policyKey = [...administrationKey, 'sign-in-policy']

export function SignInPolicyCard() {
  const queryClient = useQueryClient()
  const { data: policy } = useQuery({
    queryKey: policyKey,
    queryFn: ({ signal }) => call(signInPolicies.show, { signal }),
  })
  const save = useMutation({
    mutationFn: (administratorsNeedTwoFactors: boolean) =>
      call(signInPolicies.save, { body: { administratorsNeedTwoFactors } }),
    onSuccess: (saved) => queryClient.setQueryData(policyKey, saved),
  })
  if (!policy) return null
  return (
    <Card className="mt-4">
      {save.error && <Banner tone="error">{toAdminFailureText(save.error, 'Failed to save the sign-in rules')}</Banner>}
      <Switch
        label="Administrators need two factors"
        help="People with a platform role can administer only after signing in with a passkey, or with password and code."
        checked={policy.administratorsNeedTwoFactors}
        disabled={save.isPending}
        onCheckedChange={(isRequired) => save.mutate(isRequired)}
      />
    </Card>
  )
}
