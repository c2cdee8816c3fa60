import type * as notifications from '../../../functions/api/notifications/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { device } = story

export const notificationExamples: ExamplesOf<typeof notifications> = {
  registerDevice: {
    request: { token: 'ExponentPushToken[x3Kq9TzVb7LmWc2RnYp5Hd]', platform: 'ios', name: "Ada's phone" },
    others: {
      browser: {
        summary: 'The JSON of a PushSubscription, as a browser writes it',
        value: {
          endpoint: 'https://push.example.net/wpush/v2/gAAAAABnH3kQ',
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
          name: 'Browser in the shop',
        },
      },
    },
  },
  listDevices: { query: { limit: 2 } },
  deleteDevice: { params: { id: device } },
  status: {},
  sendTest: { request: { title: 'Hello from the bakery', deviceId: device } },
  getSettings: {},
  updateSettings: { request: { 'post.publish_failed': { push: true, mail: false } } },
}
