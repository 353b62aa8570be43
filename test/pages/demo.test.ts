// run: takes 45 s
// Suites of one file share a browser and an app, so that each picture and clip is drawn once.
import './demo/first-visit.js'
import './demo/access.js'
import './demo/pets.js'
import './demo/photo.js'
import './demo/key.js'
import './demo/day.js'
import './demo/requests.js'
