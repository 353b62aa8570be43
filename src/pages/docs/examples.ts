/** Example bodies by operation. The server accepts them once the IDs with `…` are replaced by real ones. */
export const bodies: Readonly<Record<string, unknown>> = {
  generateAvatar: { source_image_url: 'https://pets.example/rex.jpg', species: 'dog', user_id: 'ann', pet_id: 'rex' },
  saveAvatarFeedback: { feedbacks: [{ cos_key: 'ai-gateway/avatars/avatar_…/lying.png', liked: true }] },
  generateAnimation: { avatar_task_id: 'avatar_…', pose: 'all' },
  generateDiaryImages: { identity_asset_id: 'pia_…', scene_ids: ['rain_walk'] },
  selectDiaryImage: {
    user_id: 'ann',
    pet_id: 'rex',
    date: '2026-11-26',
    facts: { species: 'dog', weather: 'rain' },
  },
  generateHomeInsights: {
    user_id: 'ann',
    pet_id: 'rex',
    pet_name: 'Rex',
    species: 'dog',
    facts: { weather: 'rain', activity_minutes: 50, activity_goal_minutes: 90 },
  },
}

/** Example bodies that the server has as files, since they are too long for this table. */
export const shippedBodies: Readonly<Record<string, string>> = {
  generateHealthDetailInsight: 'demo/fixtures/ACTIVITY_DAY_IN_RANGE.json',
}
