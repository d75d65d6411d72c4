"""What people see and touch. The room gets a `View` and gives back `Intent`s; it knows no game, no journal and no camera.

A view is drawn from itself and nothing else: the same view gives the same picture (animations aside, which only lead
from the view before to this one). Nothing here decides anything.
"""
