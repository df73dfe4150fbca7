// A hit's page: the meter's course over its epoch.
import { draw } from "pit/course";

draw();
